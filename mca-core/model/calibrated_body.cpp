// Finds the row of each instruction, then turns rows and LLVM's data into the machine's plain numbers.
#include "mca-core/model/calibrated_body.h"

#include "mca-core/model/calibrated_latencies.h"
#include "mca-core/model/calibrated_memory.h"
#include "mca-core/model/instruction_fusion.h"
#include "mca-core/model/micro_fusion.h"
#include "mca-core/program/branch.h"
#include "mca-core/program/encoded_sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace mca {
namespace {

using llvm::MCRegister;
using llvm::StringRef;

constexpr uint32_t kLineBytes = 64;
constexpr StringRef kLlvmResource = "llvm/"; // begins the names of a profile's resources that are LLVM's

bool hasIndex(StringRef shape) {
  return shape.contains("index") || shape.contains("scaled");
}

bool isVectorRegister(MCRegister reg, const Target &target) {
  const StringRef name = target.registers().getName(reg);
  return name.starts_with("XMM") || name.starts_with("YMM") || name.starts_with("ZMM");
}

/// An instruction while the body is built.
struct Source {
  const llvm::MCInst *inst = nullptr;
  const LoweredInstruction *lowered = nullptr;
  const CalibratedForm *row = nullptr; ///< null: everything is LLVM's
  FormOperands operands;
  bool isVector = false;
  bool movesStackOnly = false; ///< by a stack engine: its change of the stack pointer costs nothing
  bool readsStackPointer = false, writesStackPointer = false;
};

} // namespace

uint32_t CalibratedBody::countFromLlvm() const {
  return static_cast<uint32_t>(llvm::count_if(instructions, [](const auto &one) { return one.isFromLlvm(); }));
}

struct CalibratedBodyBuilder::Parts {
  Parts(const Target &simulated, const ResourceTable &llvmResources, const Calibration &used)
      : target(simulated), resources(llvmResources), calibration(used), rules(used.rules), forms(used),
        errata(simulated), memory(simulated, used.rules) {
    for (unsigned reg = 1; reg < target.registers().getNumRegs(); ++reg)
      if (StringRef(target.registers().getName(reg)) == "RSP")
        stackPointer = reg;
  }

  CalibratedBody build(const Program &program, const LoweredRegion &region, const CalibratedRegion &how) {
    CalibratedBody body;
    readSources(region);
    cells.reset(target, rules.separateCarry.isOn);
    for (Source &source : sources)
      for (const FormOperand &destination : source.operands.destinations)
        cells.define(destination.reg, flagsWrittenBy(*source.inst, target));
    body.cellCount = cells.count();
    setLimits(body);
    setResources(body);
    for (uint32_t i = 0; i < sources.size(); ++i)
      addInstruction(i, body);
    addCode(program, region, body);
    memory.add(region, how, body);
    fuse(how, body);
    // How a part of the instructions is fetched, their sum does not show.
    if (const uint32_t perCycle = rules.smallLoops.fetchOps; perCycle && !how.isTrace)
      body.limits.leastCycles = std::max(body.limits.leastCycles, fetchCyclesOf(body, perCycle));
    return body;
  }

  void readSources(const LoweredRegion &region) {
    const bool hasStackEngine = target.triple().isX86() && rules.stackEngine.isOn;
    sources.clear();
    for (size_t i = 0; i < region.instructions.size(); ++i) {
      Source &source = sources.emplace_back();
      source.inst = &region.sources[i]->inst;
      source.lowered = region.instructions[i];
      source.row = forms.find(formOf(*source.inst, target));
      if (source.row && source.row->treatment != RenameTreatment::None &&
          !rules.renames[static_cast<size_t>(source.row->treatment)].isOn)
        source.row = nullptr;
      source.operands = formOperandsOf(*source.inst, target);
      const auto isVector = [&](const FormOperand &operand) { return isVectorRegister(operand.reg, target); };
      source.isVector =
          llvm::any_of(source.operands.sources, isVector) || llvm::any_of(source.operands.destinations, isVector);
      if (hasStackEngine)
        followStack(source);
    }
  }

  /// Cycles in which a loop is fetched that begins a line: in each, some instructions of one line. A fused pair is
  /// fetched with its end.
  static uint32_t fetchCyclesOf(const CalibratedBody &body, uint32_t perCycle) {
    uint32_t offset = 0, line = 0, ofLine = 0, cycles = 0;
    for (const CalibratedInstruction &instruction : body.instructions) {
      const uint32_t begin = instruction.fusedWithPrevious ? offset + instruction.codeBytes - 1 : offset;
      offset += instruction.codeBytes;
      if (instruction.fusedWithNext)
        continue;
      if (begin / kLineBytes != line) {
        cycles += llvm::divideCeil(ofLine, perCycle);
        line = begin / kLineBytes;
        ofLine = 0;
      }
      ++ofLine;
    }
    return cycles + static_cast<uint32_t>(llvm::divideCeil(ofLine, perCycle));
  }

  /// Removes the stack pointer from what instructions that move it along write.
  void followStack(Source &source) const {
    const llvm::MCInstrDesc &description = target.instructions().get(source.inst->getOpcode());
    source.movesStackOnly = stackChangeOf(target.instructions().getName(source.inst->getOpcode())) != 0 ||
                            description.isCall() || description.isReturn();
    const auto isStackPointer = [&](const FormOperand &operand) { return operand.reg == stackPointer; };
    const auto isImplicit = [&](const FormOperand &operand) {
      return isStackPointer(operand) && operand.number >= kFirstImplicit;
    };
    source.readsStackPointer = llvm::any_of(source.operands.sources, isStackPointer);
    if (source.movesStackOnly) {
      source.readsStackPointer = llvm::any_of(source.operands.sources, [&](const FormOperand &operand) {
        return isStackPointer(operand) && !isImplicit(operand);
      });
      // What it accesses waits for the last instruction that wrote the register itself.
      for (FormOperand &operand : source.operands.sources)
        if (isImplicit(operand))
          operand.kind = FormOperand::Kind::Address;
      llvm::erase_if(source.operands.destinations, isImplicit);
    }
    source.writesStackPointer = llvm::any_of(source.operands.destinations, isStackPointer);
  }

  void setLimits(CalibratedBody &body) const {
    const llvm::MCSchedModel &model = resources.model();
    const CalibrationFacts &facts = calibration.facts;
    CalibratedLimits &limits = body.limits;
    limits.slots = ticksOf(facts.slotsPerCycle.value.value_or(std::max(1u, model.IssueWidth)));
    limits.vectorSlots = ticksOf(facts.vectorSlotsPerCycle.value.value_or(0));
    limits.codeBytes = ticksOf(facts.codeBytesPerCycle.value.value_or(0));
    if (facts.takenBranchesPerCycle.value)
      limits.takenBranchTicks = ticksOf(1 / *facts.takenBranchesPerCycle.value);
    limits.overrideCycles = facts.overridePenalty.value;
    limits.fetchQueue = facts.fetchQueue.value;
    limits.reorderBuffer = std::max(1u, static_cast<unsigned>(model.MicroOpBufferSize));
    if (model.hasExtraProcessorInfo()) {
      const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
      const auto entries = [&](unsigned id) {
        return id ? static_cast<uint32_t>(std::max(0, model.getProcResource(id)->BufferSize)) : 0;
      };
      limits.loadQueue = entries(extra.LoadQueueID);
      limits.storeQueue = entries(extra.StoreQueueID);
      limits.retired = extra.MaxRetirePerCycle;
      if (extra.ReorderBufferSize)
        limits.reorderBuffer = extra.ReorderBufferSize;
    }
    limits.reorderBuffer = facts.reorderBuffer.value.value_or(limits.reorderBuffer);
    limits.scheduler = facts.scheduler.value.value_or(0);
    limits.vectorScheduler = facts.vectorScheduler.value.value_or(0);
    limits.loadQueue = facts.loadQueue.value.value_or(limits.loadQueue);
    // LLVM's models of Intel's CPUs have no queue, and stores that wait without end in one would cost nothing.
    if (rules.storeCommit.isOn && !limits.storeQueue)
      limits.storeQueue = limits.reorderBuffer;
    limits.storeQueue = facts.storeQueue.value.value_or(limits.storeQueue);
    limits.retired = facts.retiredPerCycle.value.value_or(limits.retired);
    limits.loadLatency = static_cast<int32_t>(facts.loadLatency.value.value_or(std::max(1u, model.LoadLatency)));
    limits.floatAddDelay = static_cast<int32_t>(rules.floatAddBypass.otherCycles);
    limits.lostSlots = ticksOf(rules.smallLoops.lostSlots);
    limits.unlaminatedWithin = rules.microFusion.indexWithin;
    limits.unlaminatedPerCycle = rules.microFusion.indexPerCycle;
    limits.leastCycles = rules.smallLoops.leastCycles;
    limits.wholeCycles = rules.smallLoops.wholeCycles;
  }

  /// The calibrated resources that are used, in their order, then those of LLVM's that an instruction without
  /// calibrated ones takes.
  void setResources(CalibratedBody &body) {
    positions.assign(calibration.resources.size(), kNone);
    llvmUnits.assign(calibration.resources.size(), 0);
    llvmResources.clear();
    for (const Source &source : sources)
      if (hasUses(source))
        for (const CalibratedForm::Use &use : source.row->uses)
          positions[use.resource] = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] == kNone)
        continue;
      const CalibratedResource &resource = calibration.resources[i];
      if (const unsigned llvms = findLlvmResource(resource.name)) {
        positions[i] = kNone;
        llvmUnits[i] = unitsOf(llvms);
        if (!llvm::is_contained(llvmResources, llvms))
          llvmResources.push_back(llvms);
        continue;
      }
      positions[i] = static_cast<uint32_t>(body.resources.size());
      const auto dependent = rules.dependentIssue.units.find(resource.name);
      body.resources.push_back({resource.name, ticksOf(resource.capacity),
                                dependent == rules.dependentIssue.units.end() ? 0 : ticksOf(dependent->second), false});
    }
    firstOfLlvm = static_cast<uint32_t>(body.resources.size());
    for (const Source &source : sources)
      if (!hasUses(source))
        for (const ResourceUse &use : source.lowered->resources)
          if (use.cycles && !llvm::is_contained(llvmResources, resources.resourceOf(use.mask)))
            llvmResources.push_back(resources.resourceOf(use.mask));
    addLlvmGroups();
    for (const unsigned resource : llvmResources) {
      const llvm::MCProcResourceDesc &description = resources.describe(resource);
      // A profile is of LLVM's resources as a whole.
      std::string name = (calibration.isProfile() ? "" : "LLVM's ") + std::string(description.Name);
      body.resources.push_back({std::move(name), ticksOf(std::min(description.NumUnits, kMaxUnitsPerCycle)), 0, true});
    }
  }

  /// Adds the groups that hold several of LLVM's resources in use: what takes p0 or p1 and what takes p1 or p5 cannot
  /// take more than three ports together.
  void addLlvmGroups() {
    const size_t used = llvmResources.size();
    for (unsigned group = 1; group < resources.size(); ++group) {
      if (!resources.isGroup(group) || llvm::is_contained(llvmResources, group))
        continue;
      const auto isHeld = [&](unsigned resource) { return (unitsOf(resource) & unitsOf(group)) == unitsOf(resource); };
      if (llvm::count_if(llvm::ArrayRef(llvmResources).take_front(used), isHeld) > 1)
        llvmResources.push_back(group);
    }
  }

  /// LLVM's resource that a profile means by `llvm/Port05`: its name without the CPU's part. 0: it means none,
  /// or the CPU's model has no such resource.
  unsigned findLlvmResource(StringRef name) const {
    if (!name.consume_front(kLlvmResource))
      return 0;
    for (unsigned resource = 1; resource < resources.size(); ++resource)
      if (StringRef(resources.describe(resource).Name).ends_with(name))
        return resource;
    return 0;
  }
  /// The bits of the resource's units, without the one that LLVM gives a group itself.
  uint64_t unitsOf(unsigned resource) const {
    const uint64_t mask = resources.maskOf(resource);
    return resources.isGroup(resource) ? mask ^ llvm::bit_floor(mask) : mask;
  }

  static bool hasUses(const Source &source) { return source.row && (source.row->slots || !source.row->uses.empty()); }

  void addInstruction(uint32_t number, CalibratedBody &body) {
    const Source &source = sources[number];
    CalibratedInstruction &instruction = body.instructions.emplace_back();
    instruction.mayLoad = source.lowered->mayLoad;
    instruction.mayStore = source.lowered->mayStore;
    instruction.slotKind = source.isVector ? SlotKind::Vector : SlotKind::General;
    if (source.row)
      instruction.treatment = source.row->treatment;
    else if (source.lowered->optimizableMove)
      instruction.treatment = RenameTreatment::Eliminated;
    instruction.isFloatAdd = rules.floatAddBypass.isOn && isFloatAdd(*source.inst);
    addSlots(number, instruction);
    addUses(source, instruction, body);
    CalibratedLatencies latencies(target, *source.inst, *source.lowered, source.row, source.operands, cells,
                                  rules.partialRegisters.merge, errata);
    latencies.add(body.limits.loadLatency, body, instruction);
    if (instruction.mayLoad && source.row)
      instruction.loadLatency +=
          std::max(0, addressLatencyOf(formOf(*source.inst, target).shape) - addressLatencyOf(source.row->shape));
    if (source.readsStackPointer && source.writesStackPointer && stackHasMoved(number))
      delayStackPointer(static_cast<int32_t>(rules.stackEngine.writeLatency), instruction, body);
  }

  /// What an address of this shape adds to a load's latency. Rows may be of simpler shapes than the instruction's.
  int32_t addressLatencyOf(StringRef shape) const {
    const bool isScaled = shape.contains("scaled");
    const bool hasThreeParts = shape.contains("base") && shape.contains("disp") && hasIndex(shape);
    const uint32_t scaled = isScaled ? calibration.facts.scaledIndexLatency.value : 0;
    const uint32_t three = hasThreeParts ? calibration.facts.threePartLatency.value : 0;
    return static_cast<int32_t>(std::max(scaled, three));
  }

  /// What computes with the stack pointer waits until the engine has brought it up to date.
  void delayStackPointer(int32_t cycles, const CalibratedInstruction &instruction, CalibratedBody &body) const {
    const llvm::SmallVector<Cell, 4> pointer = cells.find(stackPointer, kNoFlags);
    const auto read = CalibratedBody::slice(body.sources, instruction.sources);
    for (size_t i = 0; i < read.size(); ++i)
      if (llvm::is_contained(pointer, read[i].cell))
        for (const CalibratedDestination &destination :
             CalibratedBody::slice(body.destinations, instruction.destinations))
          if (int32_t &latency = body.latencies[destination.latencies + 1 + i]; latency >= 0)
            latency += cycles;
  }

  void addSlots(uint32_t number, CalibratedInstruction &instruction) const {
    const Source &source = sources[number];
    const bool isKnown = source.row && source.row->slots;
    const unsigned microOps = source.lowered->microOps;
    const unsigned fused =
        rules.microFusion.isOn ? fusedSlots(*source.inst, target, microOps, source.isVector) : microOps;
    double slots = isKnown ? *source.row->slots : fused;
    instruction.slotsAreLlvms = !isKnown;
    instruction.isUnlaminated = fused < microOps && isUnlaminated(*source.inst, target);
    // A row of a shape with an index has the slot already.
    slots += instruction.isUnlaminated && !(isKnown && hasIndex(source.row->shape));
    if ((source.readsStackPointer || source.writesStackPointer) && stackHasMoved(number))
      slots += source.writesStackPointer ? rules.stackEngine.writeSlots : rules.stackEngine.readSlots;
    instruction.slots = ticksOf(slots);
    instruction.entries = static_cast<uint16_t>(std::max(std::lround(slots), 1L));
  }

  /// Whether the stack engine has moved the stack pointer since the last instruction that named it.
  bool stackHasMoved(uint32_t number) const {
    for (size_t back = 1; back <= sources.size(); ++back) {
      const Source &earlier = sources[(number + sources.size() - back) % sources.size()];
      if (earlier.movesStackOnly)
        return true;
      if (earlier.readsStackPointer || earlier.writesStackPointer)
        return false;
    }
    return false;
  }

  /// Loads take the resources of loads when they start, not when the loaded value is there.
  void addUses(const Source &source, CalibratedInstruction &instruction, CalibratedBody &body) const {
    llvm::SmallVector<CalibratedUse, 8> all = hasUses(source) ? calibratedUses(source, body) : llvmUses(source, body);
    const auto isFor = [&](const CalibratedUse &use, const char *prefix) {
      return StringRef(body.resources[use.resource].name).starts_with(prefix);
    };
    const auto isLoads = [&](const CalibratedUse &use) {
      return instruction.mayLoad && (body.resources[use.resource].isLlvms || isFor(use, "load"));
    };
    const auto isStores = [&](const CalibratedUse &use) {
      return instruction.mayStore && !isLoads(use) && isFor(use, "store");
    };
    const auto append = [&](Range &range, const auto &wanted) {
      range.first = static_cast<uint32_t>(body.uses.size());
      llvm::copy_if(all, std::back_inserter(body.uses), wanted);
      range.count = static_cast<uint32_t>(body.uses.size()) - range.first;
    };
    append(instruction.loadUses, isLoads);
    append(instruction.uses, [&](const CalibratedUse &use) { return !isLoads(use) && !isStores(use); });
    append(instruction.storeUses, isStores);
  }

  /// No use lasts longer than the longest latency.
  static void addUse(llvm::SmallVectorImpl<CalibratedUse> &uses, const CalibratedBody &body, uint32_t resource,
                     double units) {
    const double most = double(kMaxLatency) * body.resources[resource].ticksPerCycle / kTicksPerUnit;
    if (const uint32_t ticks = ticksOf(std::min(units, most)))
      uses.push_back({static_cast<uint16_t>(resource), ticks});
  }

  llvm::SmallVector<CalibratedUse, 8> calibratedUses(const Source &source, const CalibratedBody &body) const {
    llvm::SmallVector<CalibratedUse, 8> uses;
    for (const CalibratedForm::Use &use : source.row->uses)
      if (positions[use.resource] != kNone)
        addUse(uses, body, positions[use.resource], use.amount);
    for (const auto &[i, resource] : llvm::enumerate(llvmResources)) {
      double units = 0;
      for (const CalibratedForm::Use &use : source.row->uses)
        if (const uint64_t taken = llvmUnits[use.resource]; taken && (taken & unitsOf(resource)) == taken)
          units += use.amount;
      addUse(uses, body, firstOfLlvm + static_cast<uint32_t>(i), units);
    }
    return uses;
  }

  /// A group holds what its members hold, so that it bounds the sum of them.
  /// ResourceUse::units of a group counts what LLVM took out of its cycles, unless the whole group is reserved.
  llvm::SmallVector<CalibratedUse, 8> llvmUses(const Source &source, const CalibratedBody &body) const {
    llvm::SmallVector<CalibratedUse, 8> uses;
    for (const auto &[i, resource] : llvm::enumerate(llvmResources)) {
      const uint64_t held = unitsOf(resource);
      double units = 0;
      for (const ResourceUse &use : source.lowered->resources)
        if (const uint64_t taken = unitsOf(resources.resourceOf(use.mask)); (taken & held) == taken)
          units += double(use.cycles) * (use.reserved ? use.units : 1);
      addUse(uses, body, firstOfLlvm + static_cast<uint32_t>(i), units);
    }
    return uses;
  }

  /// Sizes of code and branches. The last instruction is taken if it is a branch, so that the loop repeats.
  void addCode(const Program &program, const LoweredRegion &region, CalibratedBody &body) const {
    const SizeOf sizeOf = encodedSizes(target, program);
    for (size_t i = 0; i < sources.size(); ++i) {
      CalibratedInstruction &instruction = body.instructions[i];
      if (sizeOf)
        instruction.codeBytes =
            static_cast<uint16_t>(sizeOf(static_cast<uint32_t>(region.sources[i] - program.instructions().data())));
      const llvm::MCInstrDesc &description = target.instructions().get(sources[i].inst->getOpcode());
      const bool isLast = i + 1 == sources.size();
      instruction.isConditional = description.isConditionalBranch();
      instruction.isIndirect = description.isIndirectBranch();
      instruction.isBranch = description.isBranch() || description.isCall() || description.isReturn();
      instruction.isBeforeNext = !isLast && region.sources[i] + 1 == region.sources[i + 1];
      instruction.isTakenBranch = description.isUnconditionalBranch() || description.isIndirectBranch() ||
                                  description.isCall() || description.isReturn() ||
                                  (isLast && description.isConditionalBranch());
    }
  }

  bool isFloatAdd(const llvm::MCInst &inst) const {
    StringRef name = target.instructions().getName(inst.getOpcode());
    name.consume_front("V");
    return (name.consume_front("ADD") || name.consume_front("SUB")) &&
           llvm::any_of(std::initializer_list<StringRef>{"PS", "PD", "SS", "SD"},
                        [&](StringRef type) { return name.starts_with(type); });
  }

  /// The last instruction does not fuse with the first: they are far apart in the code.
  void fuse(const CalibratedRegion &how, CalibratedBody &body) const {
    if (!target.triple().isX86())
      return;
    const InstructionFusion fusion(target, rules);
    for (size_t i = 0; i + 1 < sources.size(); ++i) {
      CalibratedInstruction &first = body.instructions[i], &second = body.instructions[i + 1];
      if (first.fusedWithPrevious || (how.isTrace && !first.isBeforeNext))
        continue;
      if (fusion.fusesWithBranch(*sources[i].inst, *sources[i + 1].inst)) {
        first.fusedWithNext = second.fusedWithPrevious = true;
        first.treatment = RenameTreatment::None; // the branch is executed, whatever renaming does with the rest
        mergeUses(first, second, body);
        second.slots = 0;
        second.entries = 0;
      } else if (first.treatment != RenameTreatment::Zero && fusion.moveFuses(*sources[i].inst, *sources[i + 1].inst)) {
        first.fusedWithNext = true;
        first.treatment = RenameTreatment::Eliminated;
        first.slots = 0;
        first.entries = 0;
      }
    }
  }

  /// The pair takes of each resource what the one that needs more takes.
  static void mergeUses(CalibratedInstruction &first, CalibratedInstruction &second, CalibratedBody &body) {
    const auto firsts = CalibratedBody::slice(body.uses, first.uses);
    llvm::SmallVector<CalibratedUse, 8> merged(firsts.begin(), firsts.end());
    for (const CalibratedUse &use : CalibratedBody::slice(body.uses, second.uses)) {
      auto *const same =
          llvm::find_if(merged, [&](const CalibratedUse &other) { return other.resource == use.resource; });
      if (same == merged.end())
        merged.push_back(use);
      else
        same->ticks = std::max(same->ticks, use.ticks);
    }
    first.uses = {static_cast<uint32_t>(body.uses.size()), static_cast<uint32_t>(merged.size())};
    body.uses.insert(body.uses.end(), merged.begin(), merged.end());
    second.uses.count = 0;
  }

  const Target &target;
  const ResourceTable &resources;
  const Calibration &calibration;
  const CalibrationRules &rules;
  const FormTable forms;
  llvm::MCRegister stackPointer; ///< invalid but on x86
  Errata errata;
  const CalibratedMemory memory;
  std::vector<Source> sources;
  std::vector<uint32_t> positions;     ///< of the calibration's resources in the body; kNone: not used
  std::vector<uint64_t> llvmUnits;     ///< of the calibration's resources that are LLVM's; 0: it is none of them
  std::vector<unsigned> llvmResources; ///< LLVM's numbers, from firstOfLlvm on in the body
  uint32_t firstOfLlvm = 0;
  RegisterCells cells;
};

CalibratedBodyBuilder::CalibratedBodyBuilder(const Target &target, const ResourceTable &resources,
                                             const Calibration &calibration)
    : parts_(std::make_unique<Parts>(target, resources, calibration)) {}
CalibratedBodyBuilder::~CalibratedBodyBuilder() = default;

CalibratedBody CalibratedBodyBuilder::build(const Program &program, const LoweredRegion &region,
                                            const CalibratedRegion &how) {
  return parts_->build(program, region, how);
}

} // namespace mca

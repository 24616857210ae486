// Finds the row of each instruction, then turns rows and LLVM's data into the machine's plain numbers.
#include "mca-core/model/calibrated_body.h"

#include "mca-core/model/calibrated_latencies.h"
#include "mca-core/model/instruction_fusion.h"
#include "mca-core/model/known_addresses.h"
#include "mca-core/model/micro_fusion.h"
#include "mca-core/program/branch.h"
#include "mca-core/program/encoded_sizes.h"
#include "mca-core/target/errata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>

namespace mca {
namespace {

using llvm::MCRegister;
using llvm::StringRef;

constexpr uint32_t kLineBytes = 64;
constexpr StringRef kLlvmResource = "llvm/"; // begins the names of a profile's resources that are LLVM's

/// Values of a calibration are small enough, by its table.
uint32_t ticksOf(double units) {
  return static_cast<uint32_t>(std::lround(units * kTicksPerUnit));
}

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
        sizes(simulated), errata(simulated) {
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
    addMemory(region, how, body);
    addStatedForwards(how.storesBefore, body);
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

  void addMemory(const LoweredRegion &region, const CalibratedRegion &how, CalibratedBody &body) const {
    if (!target.triple().isX86())
      return;
    std::vector<KnownAccess> accesses;
    for (uint32_t i = 0; i < sources.size(); ++i) {
      const CalibratedInstruction &instruction = body.instructions[i];
      if (!instruction.mayLoad && !instruction.mayStore)
        continue;
      if (const std::optional<MemoryAccess> access = memoryAccessOf(*sources[i].inst, target, sizes)) {
        // push and pop of memory have two places; the other one is the stack's.
        const int64_t moved =
            access->isStack ? 0 : stackChangeOf(target.instructions().getName(sources[i].inst->getOpcode()));
        accesses.push_back({i, *access, instruction.mayLoad && moved <= 0, instruction.mayStore && moved >= 0});
      }
    }
    const KnownMemory known =
        findKnownMemory(target, region.sources, accesses, rules.splits.line, rules.storeCommit.bytes);
    addForwards(known, accesses, how, body);
    if (rules.splits.isOn)
      for (const SplitShare &split : known.splits)
        addSplit(split.share, body.instructions[accesses[split.access].instruction], body);
    if (rules.loadBanks.isOn)
      addBanks(known, accesses, body);
    if (rules.storeCommit.isOn)
      addCommits(known, accesses, body);
  }

  /// A load takes a unit of each bank that it reads. One that moves on by less than a line uses all of them in turn,
  /// and the loads of the iterations around it find others.
  void addBanks(const KnownMemory &known, std::span<const KnownAccess> accesses, CalibratedBody &body) const {
    const LoadBanksRule &rule = rules.loadBanks;
    const auto line = static_cast<int64_t>(std::max(rule.line, rule.bytes)), bytes = static_cast<int64_t>(rule.bytes);
    std::map<std::tuple<uint32_t, int64_t, int64_t>, uint16_t> banks; // by index, scale and number
    for (size_t i = 0; i < accesses.size(); ++i) {
      if (!accesses[i].loads || !known.places[i] || known.places[i]->step % line)
        continue;
      const KnownPlace &where = *known.places[i];
      const int64_t begin = where.offset & (line - 1);
      const int64_t end = begin + std::min<int64_t>(accesses[i].access.bytes, line);
      std::vector<CalibratedUse> uses;
      for (int64_t place = begin & -bytes; place < end; place += bytes) {
        const int64_t number = place % line / bytes;
        const auto [bank, isNew] =
            banks.try_emplace({where.index, where.scale, number}, static_cast<uint16_t>(body.resources.size()));
        if (isNew)
          body.resources.push_back({"load bank " + std::to_string(number), ticksOf(rule.perCycle), 0, false});
        uses.push_back({bank->second, kTicksPerUnit});
      }
      addLoadUses(uses, body.instructions[accesses[i].instruction], body);
    }
  }

  static void addLoadUses(std::span<const CalibratedUse> added, CalibratedInstruction &instruction,
                          CalibratedBody &body) {
    const auto known = CalibratedBody::slice(body.uses, instruction.loadUses);
    std::vector<CalibratedUse> all(known.begin(), known.end());
    all.insert(all.end(), added.begin(), added.end());
    instruction.loadUses = {static_cast<uint32_t>(body.uses.size()), static_cast<uint32_t>(all.size())};
    body.uses.insert(body.uses.end(), all.begin(), all.end());
  }

  /// How long each store takes to leave, in order.
  void addCommits(const KnownMemory &known, std::span<const KnownAccess> accesses, CalibratedBody &body) const {
    const StoreCommitRule &commit = rules.storeCommit;
    // Of each access the parts that leave on their own, in the mean of the iterations.
    std::vector<double> parts(accesses.size());
    for (size_t i = 0; i < accesses.size(); ++i)
      parts[i] = 1 - known.sameBlocks[i];
    if (commit.aloneIfRead)
      for (const MemoryLink &link : known.links)
        parts[link.store] = 1;
    for (const SplitShare &split : known.splits)
      parts[split.access] += split.share;
    if (commit.together)
      countTogether(accesses, parts);
    uint32_t narrowTicks = ticksOf(commit.narrowCycles);
    for (size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].stores) {
        const uint32_t number = accesses[i].instruction;
        uint32_t &ticks = body.instructions[number].commitTicks;
        // A scatter writes its elements one after the other.
        const StringRef name = target.instructions().getName(sources[number].inst->getOpcode());
        ticks = ticksOf(parts[i] * std::max(1u, gatheredElements(name)) / commit.perCycle);
        // Once in an iteration.
        if (const double share = 1 - known.sameBlocks[i]; accesses[i].access.bytes < commit.narrowBytes && share > 0)
          ticks += static_cast<uint32_t>(std::lround(share * std::exchange(narrowTicks, 0)));
      }
  }

  /// Only so many stores to one block leave at a time: of a run of them, each first one of so many counts. Where runs
  /// end in some iterations only, all stores take the mean.
  void countTogether(std::span<const KnownAccess> accesses, std::vector<double> &parts) const {
    const uint32_t together = rules.storeCommit.together;
    std::vector<size_t> stores;
    double all = 0;
    for (size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].stores) {
        stores.push_back(i);
        all += parts[i];
      }
    const auto isWhole = [&](size_t i) { return parts[i] == std::floor(parts[i]); };
    const auto first = llvm::find_if(stores, [&](size_t i) { return parts[i] >= 1; });
    if (first == stores.end() || !llvm::all_of(stores, isWhole)) {
      const double run = all > 0 ? double(stores.size()) / all : double(together);
      for (const size_t i : stores)
        parts[i] = std::ceil(std::round(run) / together) / run;
      return;
    }
    std::rotate(stores.begin(), first, stores.end());
    uint32_t position = 0;
    for (const size_t i : stores) {
      position = parts[i] >= 1 ? 0 : position + 1;
      if (position && position % together == 0)
        parts[i] = 1;
    }
  }

  /// A loop that crosses lines in some iterations takes the mean in each.
  void addSplit(double share, const CalibratedInstruction &instruction, CalibratedBody &body) const {
    const auto add = [&](Range uses, double units) {
      const uint32_t ticks = ticksOf(share * units);
      for (uint32_t i = uses.first; i < uses.first + uses.count; ++i)
        body.uses[i].ticks += ticks;
    };
    add(instruction.loadUses, rules.splits.load);
    add(instruction.storeUses, rules.splits.store);
  }

  /// A load that a text says reads an earlier store, where the addresses do not show it. Of several stores, the last.
  void addStatedForwards(std::span<const std::vector<uint32_t>> storesBefore, CalibratedBody &body) const {
    const auto count = static_cast<uint32_t>(body.instructions.size());
    for (uint32_t load = 0; load < storesBefore.size(); ++load) {
      CalibratedInstruction &instruction = body.instructions[load];
      if (storesBefore[load].empty() || instruction.forward != kNone)
        continue;
      const uint32_t earlier = *llvm::min_element(storesBefore[load]);
      const uint32_t distance = earlier <= load ? 0 : llvm::divideCeil(earlier - load, count);
      const std::optional<uint32_t> general = rules.storeForwarding.general;
      instruction.forward = static_cast<uint32_t>(body.forwards.size());
      body.forwards.push_back({.store = (load + distance * count - earlier) % count,
                               .distance = distance,
                               .latency = general ? static_cast<int32_t>(*general) : instruction.loadLatency,
                               .isOneAddress = true});
    }
  }

  void addForwards(const KnownMemory &known, std::span<const KnownAccess> accesses, const CalibratedRegion &how,
                   CalibratedBody &body) const {
    const StoreForwardingRule &forwarding = rules.storeForwarding;
    const MemoryRenamingRule &renaming = rules.memoryRenaming;
    for (const MemoryLink &link : known.links) {
      const KnownAccess &load = accesses[link.load];
      const uint32_t store = accesses[link.store].instruction;
      const bool isVector = sources[load.instruction].isVector;
      const bool isRenamed = renaming.isOn && isRenamedLoad(load) && isRenamedLink(link, load, accesses[link.store]);
      if (!isRenamed && !forwarding.isOn)
        continue;
      StoreForward forward{.store = store,
                           .distance = link.distance,
                           .loadedBytes = load.access.bytes,
                           .isOneAddress = link.sameRegisters && link.distance == 1};
      using Kind = StoreForward::Kind;
      forward.kind = isRenamed           ? Kind::Renamed
                     : !link.isContained ? Kind::Partial
                     : isVector          ? Kind::Vector
                                         : Kind::General;
      const std::optional<uint32_t> forwarded = !link.isContained ? forwarding.partial
                                                : isVector        ? forwarding.vector
                                                                  : forwarding.general;
      const int32_t ofLoad = body.instructions[load.instruction].loadLatency;
      // What extends the sign takes as much longer as it does without a store.
      const bool extends = forwarded && link.isContained && extendsSign(*sources[load.instruction].inst);
      forward.latency = isRenamed ? static_cast<int32_t>(renaming.latency)
                                  : static_cast<int32_t>(forwarded.value_or(ofLoad)) +
                                        (extends ? std::max(0, ofLoad - body.limits.loadLatency) : 0);
      body.instructions[load.instruction].forward = static_cast<uint32_t>(body.forwards.size());
      body.forwards.push_back(forward);
    }
    predictForwards(how, body);
  }

  /// Whether a CPU that renames memory does it for this load.
  bool isRenamedLoad(const KnownAccess &load) const {
    const MemoryRenamingRule &renaming = rules.memoryRenaming;
    const MemoryAccess &access = load.access;
    constexpr uint32_t kWord = 2;
    return access.bytes >= renaming.leastBytes && (renaming.words || access.bytes != kWord) &&
           (renaming.vector || !sources[load.instruction].isVector) && (renaming.index || !access.index.isValid()) &&
           (renaming.rip || !isInstructionPointer(access.base)) &&
           (renaming.signExtending || !extendsSign(*sources[load.instruction].inst)) &&
           (!renaming.stackOnly || access.base == stackPointer);
  }
  bool isInstructionPointer(MCRegister reg) const {
    return reg.isValid() && StringRef(target.registers().getName(reg)).ends_with("IP"); // rip, eip
  }
  bool isRenamedLink(const MemoryLink &link, const KnownAccess &load, const KnownAccess &store) const {
    if (rules.memoryRenaming.otherStores)
      return link.isContained && link.beginsAlike;
    return link.sameRegisters && load.access.bytes == store.access.bytes;
  }

  /// The predictor knows loads by their place in the code, so it can learn only those of a loop.
  void predictForwards(const CalibratedRegion &how, CalibratedBody &body) const {
    const PredictiveForwardingRule &predicting = rules.predictiveForwarding;
    if (!predicting.isOn || (!how.isTrace && !body.instructions.back().isTakenBranch))
      return;
    const auto isPredicted = [&](uint32_t number) {
      const CalibratedInstruction &instruction = body.instructions[number];
      if (instruction.forward == kNone)
        return false;
      const StoreForward &forward = body.forwards[instruction.forward];
      const bool isOperation = !instruction.mayStore && !isPlainLoad(*sources[number].inst);
      return (forward.kind == StoreForward::Kind::General ||
              (forward.kind == StoreForward::Kind::Vector && predicting.vector)) &&
             forward.loadedBytes >= predicting.leastBytes && (!isOperation || predicting.operations);
    };
    llvm::SmallVector<uint32_t, 8> predicted;
    for (uint32_t i = 0; i < sources.size(); ++i)
      if (isPredicted(i))
        predicted.push_back(body.instructions[i].forward);
    if (predicted.size() > predicting.loads)
      return;
    for (const uint32_t forward : predicted) {
      body.forwards[forward].kind = StoreForward::Kind::Predicted;
      body.forwards[forward].latency = static_cast<int32_t>(predicting.latency);
    }
  }

  bool isFloatAdd(const llvm::MCInst &inst) const {
    StringRef name = target.instructions().getName(inst.getOpcode());
    name.consume_front("V");
    return (name.consume_front("ADD") || name.consume_front("SUB")) &&
           llvm::any_of(std::initializer_list<StringRef>{"PS", "PD", "SS", "SD"},
                        [&](StringRef type) { return name.starts_with(type); });
  }

  bool extendsSign(const llvm::MCInst &inst) const {
    return StringRef(target.instructions().getName(inst.getOpcode())).starts_with("MOVSX");
  }

  /// Moves, also those that extend what they load.
  bool isPlainLoad(const llvm::MCInst &inst) const {
    const StringRef name = target.instructions().getName(inst.getOpcode());
    return name.starts_with("MOV") || name.starts_with("VMOV") || name.starts_with("POP");
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
  const MemoryBytes sizes;
  Errata errata;
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

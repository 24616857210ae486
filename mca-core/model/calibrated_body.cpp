// Finds the row of each instruction, then turns rows and LLVM's data into the machine's plain numbers.
#include "mca-core/model/calibrated_body.h"

#include "mca-core/model/calibrated_latencies.h"
#include "mca-core/model/calibrated_memory.h"
#include "mca-core/model/calibrated_resources.h"
#include "mca-core/model/instruction_fusion.h"
#include "mca-core/model/micro_fusion.h"
#include "mca-core/program/branch.h"
#include "mca-core/program/encoded_sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <utility>

namespace mca {
namespace {

using llvm::MCRegister;
using llvm::StringRef;

constexpr uint32_t kLineBytes = 64;

bool hasIndex(StringRef shape) {
  return shape.contains("index") || shape.contains("scaled");
}

/// Or a mask, which the vector units hold.
bool isVectorRegister(MCRegister reg, const Target &target) {
  const StringRef name = target.registers().getName(reg);
  return name.starts_with("XMM") || name.starts_with("YMM") || name.starts_with("ZMM") ||
         (name.size() == 2 && name[0] == 'K');
}

/// An instruction while the body is built.
struct Source : CalibratedRow {
  const llvm::MCInst *inst = nullptr;
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
      : target(simulated), model(llvmResources.model()), calibration(used), rules(used.rules), forms(used),
        errata(simulated), resources(simulated, llvmResources, used), memory(simulated, used.rules) {
    for (unsigned reg = 1; reg < target.registers().getNumRegs(); ++reg)
      if (isStackPointer(reg, target))
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
    resources.clear();
    for (const Source &source : sources)
      resources.require(source);
    resources.addTo(body);
    for (uint32_t i = 0; i < sources.size(); ++i)
      addInstruction(i, body);
    addCode(program, region, body);
    memory.add(region, how, body);
    fuse(how, body);
    // How a part of the instructions is fetched, their sum does not show.
    if (rules.smallLoops.fetchOps && !how.isTrace)
      body.limits.leastCycles = std::max(body.limits.leastCycles, fetchCycles(region.sources[0]->alignment, body));
    return body;
  }

  void readSources(const LoweredRegion &region) {
    const bool hasStackEngine = target.triple().isX86() && rules.stackEngine.isOn;
    sources.clear();
    unmaskedRows.clear();
    for (size_t i = 0; i < region.instructions.size(); ++i) {
      Source &source = sources.emplace_back();
      source.inst = &region.sources[i]->inst;
      source.lowered = region.instructions[i];
      source.row = forms.find(formOf(*source.inst, target));
      if (!source.row)
        if (std::optional<CalibratedForm> unmasked = forms.findUnmasked(*source.inst, target))
          source.row = &unmaskedRows.emplace_back(std::move(*unmasked));
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

  /// Cycles in which a loop is fetched. Where it begins in a line of code the linker decides, unless the text aligns it
  /// (`alignment`, a logarithm to base 2); compilers align loops to 16 bytes. At every second place, it takes no
  /// longer.
  uint32_t fetchCycles(uint8_t alignment, const CalibratedBody &body) const {
    const uint32_t step = std::min(uint32_t{1} << std::clamp<uint8_t>(alignment, 4, 6), kLineBytes);
    llvm::SmallVector<uint32_t, 4> cycles;
    for (uint32_t begin = 0; begin < kLineBytes; begin += step)
      cycles.push_back(fetchCyclesAt(begin, body, rules.smallLoops));
    llvm::sort(cycles);
    return cycles[(cycles.size() - 1) / 2];
  }

  /// Cycles in which a loop is fetched that begins at this place of a line: at once, some instructions of one line. A
  /// fused pair is fetched with its end.
  static uint32_t fetchCyclesAt(uint32_t place, const CalibratedBody &body, const SmallLoopsRule &rule) {
    uint32_t offset = place, line = 0, ofLine = 0, cycles = 0;
    const auto endLine = [&] {
      if (ofLine)
        cycles += 1 + ((ofLine - 1) / rule.fetchOps) * rule.furtherCycles;
      ofLine = 0;
    };
    for (const CalibratedInstruction &instruction : body.instructions) {
      const uint32_t begin = instruction.fusedWithPrevious ? offset + instruction.codeBytes - 1 : offset;
      offset += instruction.codeBytes;
      if (instruction.fusedWithNext)
        continue;
      if (begin / kLineBytes != line)
        endLine();
      line = begin / kLineBytes;
      ++ofLine;
    }
    endLine();
    return cycles;
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
    const CalibrationFacts &facts = calibration.facts;
    CalibratedLimits &limits = body.limits;
    limits.slots = ticksOf(facts.slotsPerCycle.value.value_or(std::max(1u, model.IssueWidth)));
    limits.vectorSlots = ticksOf(facts.vectorSlotsPerCycle.value.value_or(0));
    limits.codeBytes = ticksOf(facts.codeBytesPerCycle.value.value_or(0));
    if (facts.takenBranchesPerCycle.value)
      limits.takenBranchTicks = ticksOf(1 / *facts.takenBranchesPerCycle.value);
    limits.overrideCycles = facts.overridePenalty.value;
    limits.targetCycles = facts.targetPenalty.value;
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
    resources.addUses(source, instruction, body);
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
        resources.fuse(first, second, body);
        // It stays one slot.
        if (std::exchange(first.isUnlaminated, false)) {
          first.slots -= kTicksPerUnit;
          --first.entries;
        }
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

  const Target &target;
  const llvm::MCSchedModel &model;
  const Calibration &calibration;
  const CalibrationRules &rules;
  const FormTable forms;
  std::deque<CalibratedForm> unmaskedRows; ///< of the region's instructions with a mask
  llvm::MCRegister stackPointer;           ///< invalid but on x86
  Errata errata;
  CalibratedResources resources;
  const CalibratedMemory memory;
  std::vector<Source> sources;
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

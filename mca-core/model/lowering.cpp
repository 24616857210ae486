// Calls LLVM's InstrBuilder and caches its results by everything that they depend on.
#include "mca-core/model/lowering.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Support.h"

namespace mca {
namespace {

constexpr unsigned kMaxCached = 1 << 16; ///< cached instructions, about 500 bytes each

template <typename T>
void append(llvm::SmallVectorImpl<char> &bytes, const T &value) {
  const auto *first = reinterpret_cast<const char *>(&value);
  bytes.append(first, first + sizeof value);
}

/// Returns false for the rare operand kinds without a plain value.
bool appendOperand(llvm::SmallVectorImpl<char> &key, const llvm::MCOperand &operand) {
  if (operand.isReg()) {
    key.push_back('r');
    append(key, operand.getReg().id());
  } else if (operand.isImm()) {
    key.push_back('i');
    append(key, operand.getImm());
  } else if (operand.isSFPImm()) {
    key.push_back('f');
    append(key, operand.getSFPImm());
  } else if (operand.isDFPImm()) {
    key.push_back('d');
    append(key, operand.getDFPImm());
  } else if (operand.isExpr()) {
    key.push_back('e'); // scheduling never depends on a symbol's value
  } else {
    return false;
  }
  return true;
}

/// Appends the operand properties that InstrBuilder inspects when it describes an opcode: registers, and which of them
/// are constant. It describes an opcode only once per region, from the first instruction that has it
/// (InstrBuilder::getOrCreateInstrDesc), so this shape is part of the key.
void appendShape(llvm::SmallVectorImpl<char> &shape, const llvm::MCInst &inst, const llvm::MCRegisterInfo &registers) {
  for (const llvm::MCOperand &operand : inst) {
    const unsigned reg = operand.isReg() ? operand.getReg().id() : 0;
    shape.push_back(!operand.isReg() ? '-' : !reg ? '0' : registers.isConstant(reg) ? 'c' : 'r');
  }
}

} // namespace

Lowering::Lowering(const Target &target, unsigned callLatency, bool customBehaviour)
    : target_(target), keepsLlvmInstructions_(customBehaviour && hasCustomBehaviour(target)),
      builder_(target.subtarget(), target.instructions(), target.registers(), target.analysis(), target.instruments(),
               callLatency),
      postProcess_(customBehaviour ? target.backend().createInstrPostProcess(target.subtarget(), target.instructions())
                                   : nullptr),
      resources_(target.subtarget().getSchedModel()) {}

/// Instructions without scheduling data are skipped, as by llvm-mca's -skip-unsupported-instructions=lack-sched.
LoweredRegion Lowering::lower(const Program &program, std::span<const uint32_t> region, OnSkipped onSkipped,
                              Corrections corrections) {
  LoweredRegion result;
  result.origins.reserve(region.size());
  result.instructions.reserve(region.size());
  result.sources.reserve(region.size());
  if (cache_.size() > kMaxCached) {
    corrected_.clear();
    cache_.clear();
  }
  // The builder caches descriptions by the address of an instruction, which another program may reuse.
  uncached_.clear();
  firstByOpcode_.clear();
  completed_.clear();
  builder_.clear();
  if (postProcess_)
    postProcess_->resetState();
  for (uint32_t position = 0; position < region.size(); ++position) {
    const Instruction &source = program.instructions()[region[position]];
    auto lowered = lowerCached(program, source);
    if (!lowered) {
      std::string message;
      llvm::handleAllErrors(
          lowered.takeError(), [&](const llvm::mca::InstructionError<llvm::MCInst> &error) { message = error.Message; },
          [&](const llvm::ErrorInfoBase &error) { message = error.message(); });
      result.skipped.push_back({position, std::move(message)});
      if (onSkipped && !onSkipped(result.skipped.back()))
        break;
      continue;
    }
    result.origins.push_back(position);
    result.sources.push_back(&source);
    result.instructions.push_back(*lowered);
  }
  // What is not cached lives only until the next region, and its target has no known errors.
  if (corrections != Corrections::None && !keepsLlvmInstructions_)
    correct(program, result, corrections);
  return result;
}

/// Returns the cached instruction of the same key, or lowers it.
llvm::Expected<const LoweredInstruction *> Lowering::lowerCached(const Program &program, const Instruction &source) {
  const bool cacheable = makeKey(program, source);
  if (const auto found = cacheable ? cache_.find(key_) : cache_.end(); found != cache_.end())
    return found->second.get();
  auto built = build(program, source);
  if (!built)
    return built.takeError();
  std::unique_ptr<LoweredInstruction> &lowered = cacheable ? cache_[key_] : uncached_.emplace_back();
  lowered = copy(std::move(*built), source.inst);
  if (cacheable)
    lowered->kind = ++kinds_;
  return lowered.get();
}

/// Writes everything that lowering depends on to key_. Returns false if the instruction cannot be cached.
bool Lowering::makeKey(const Program &program, const Instruction &source) {
  if (keepsLlvmInstructions_)
    return false;
  key_.clear();
  append(key_, source.inst.getOpcode());
  append(key_, source.inst.getFlags());
  for (const llvm::MCOperand &operand : source.inst)
    if (!appendOperand(key_, operand))
      return false;
  const Instruction &first = firstWithSameOpcode(program, source);
  appendShape(key_, first.inst, target_.registers());
  for (const llvm::mca::Instrument *instrument : program.instrumentsOf(source)) {
    key_ += '\n';
    key_ += instrument->getDesc();
    key_ += '=';
    key_ += instrument->getData();
  }
  return true;
}

/// Returns the instruction from which InstrBuilder has described, or will describe, the source's opcode. It keeps one
/// description for each opcode and scheduling class (InstrBuilder::getOrCreateInstrDesc).
const Instruction &Lowering::firstWithSameOpcode(const Program &program, const Instruction &source) {
  const unsigned sched =
      target_.instruments().getSchedClassID(target_.instructions(), source.inst, program.instrumentsOf(source));
  return *firstByOpcode_.try_emplace(uint64_t(source.inst.getOpcode()) << 32 | sched, &source).first->second;
}

/// Returns the instruction with all the operands that its description has. SystemZ's calls are parsed without the last
/// one, their symbol of thread-local storage. InstrBuilder would read what is behind their operands.
const llvm::MCInst &Lowering::complete(const Instruction &source) {
  const llvm::MCInstrDesc &description = target_.instructions().get(source.inst.getOpcode());
  if (source.inst.getNumOperands() >= description.getNumOperands())
    return source.inst;
  llvm::MCInst &completed = completed_.emplace_back(source.inst);
  while (completed.getNumOperands() < description.getNumOperands())
    completed.addOperand(llvm::MCOperand::createImm(0));
  return completed;
}

llvm::Expected<std::unique_ptr<llvm::mca::Instruction>> Lowering::build(const Program &program,
                                                                        const Instruction &source) {
  // The builder must describe the opcode from its first instruction in the region, which may have come from our cache.
  if (!keepsLlvmInstructions_)
    if (const Instruction &first = firstWithSameOpcode(program, source); &first != &source)
      llvm::consumeError(builder_.createInstruction(complete(first), program.instrumentsOf(first)).takeError());
  auto built = builder_.createInstruction(complete(source), program.instrumentsOf(source));
  if (built && postProcess_)
    postProcess_->postProcessInstruction(**built, source.inst);
  return built;
}

/// Copies LLVM's instruction. A read whose scheduling class has no read-advance entry for its operand is marked, so
/// that BodyBuilder need not look up the advance of every pair of a write and a read.
std::unique_ptr<LoweredInstruction> Lowering::copy(std::unique_ptr<llvm::mca::Instruction> built,
                                                   const llvm::MCInst &inst) const {
  const llvm::mca::InstrDesc &description = built->getDesc();
  auto lowered = std::make_unique<LoweredInstruction>();
  lowered->microOps = built->getNumMicroOps();
  lowered->latency = static_cast<int32_t>(built->getLatency());
  lowered->buffers = built->getUsedBuffers();
  lowered->groups = description.UsedProcResGroups;
  lowered->mayLoad = built->getMayLoad();
  lowered->mayStore = built->getMayStore();
  lowered->loadBarrier = built->isALoadBarrier();
  lowered->storeBarrier = built->isAStoreBarrier();
  lowered->beginGroup = built->getBeginGroup();
  lowered->endGroup = built->getEndGroup();
  lowered->retireOutOfOrder = built->getRetireOOO();
  lowered->optimizableMove = built->isOptimizableMove();
  lowered->issuesAtOnce = description.isZeroLatency() || description.MustIssueImmediately;
  lowered->overlappingGroups = description.HasPartiallyOverlappingGroups;
  for (const llvm::mca::WriteState &write : built->getDefs())
    lowered->writes.push_back({static_cast<uint16_t>(write.getRegisterID()), static_cast<int32_t>(write.getLatency()),
                               write.getWriteResourceID(), write.clearsSuperRegisters(), write.isWriteZero()});
  const llvm::MCSchedModel &model = target_.subtarget().getSchedModel();
  const llvm::ArrayRef<llvm::MCOperandInfo> operands = target_.instructions().get(inst.getOpcode()).operands();
  for (const llvm::mca::ReadState &read : built->getUses()) {
    const llvm::mca::ReadDescriptor &use = read.getDescriptor();
    bool advances = false;
    for (const llvm::MCReadAdvanceEntry &entry :
         target_.subtarget().getReadAdvanceEntries(*model.getSchedClassDesc(use.SchedClassID)))
      advances |= entry.UseIdx == use.UseIndex;
    const bool isAddress = !use.isImplicitRead() && static_cast<size_t>(use.OpIndex) < operands.size() &&
                           operands[static_cast<size_t>(use.OpIndex)].OperandType == llvm::MCOI::OPERAND_MEMORY;
    lowered->reads.push_back({.reg = static_cast<uint16_t>(read.getRegisterID()),
                              .independent = read.isIndependentFromDef(),
                              .advances = advances,
                              .isAddress = isAddress,
                              .neededAfter = std::nullopt,
                              .schedClass = use.SchedClassID,
                              .useIndex = use.UseIndex});
  }
  for (const auto &[mask, usage] : description.Resources)
    lowered->resources.push_back({mask, usage.size(), usage.NumUnits, usage.isReserved()});
  if (keepsLlvmInstructions_)
    lowered->llvmInstruction = std::move(built);
  return lowered;
}

bool hasCustomBehaviour(const Target &target) {
  // A target without custom behaviour returns null.
  llvm::SmallVector<std::unique_ptr<llvm::mca::Instruction>, 0> nothing;
  const llvm::mca::CircularSourceMgr source(nothing, 1);
  return std::unique_ptr<llvm::mca::CustomBehaviour>(
             target.backend().createCustomBehaviour(target.subtarget(), source, target.instructions())) != nullptr;
}

/// A variant's predicates select another class, which may be a variant again (InstrBuilder::createInstrDescImpl).
unsigned resolveSchedClass(const Target &target, const llvm::MCInst &inst, const Program::InstrumentSet &instruments) {
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  unsigned id = target.instruments().getSchedClassID(target.instructions(), inst, instruments);
  while (id && model.getSchedClassDesc(id)->isVariant())
    id = target.subtarget().resolveVariantSchedClass(id, &inst, &target.instructions(), model.getProcessorID());
  return id;
}

int32_t readAdvanceOf(const LoweredInstruction::Read &read, const Target &target) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  int32_t advance = 0;
  if (read.advances)
    for (const llvm::MCReadAdvanceEntry &entry :
         subtarget.getReadAdvanceEntries(*subtarget.getSchedModel().getSchedClassDesc(read.schedClass)))
      if (entry.UseIdx == read.useIndex && entry.WriteResourceID == 0)
        advance = std::max(advance, entry.Cycles);
  return advance;
}

} // namespace mca

// Lowering's corrections of known errors of LLVM's models: of single rows, of what an instruction waits for, and of
// loads that wait for the operands of the operation that they are fused with.
//
// A correction is a changed copy of an instruction, so that the same Lowering also has llvm-mca's numbers.
#include "mca-core/model/lowering.h"

#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <limits>

namespace mca {
namespace {

/// Lanes may multiply what one access takes, and a table's mistake must not make a number that nothing ends.
constexpr uint32_t kMostCycles = 1 << 10;

/// Without LLVM's own instruction, which only targets without known errors keep.
std::unique_ptr<LoweredInstruction> cloneOf(const LoweredInstruction &source) {
  auto clone = std::make_unique<LoweredInstruction>();
  static_cast<InstructionProperties &>(*clone) = source;
  clone->writes = source.writes;
  clone->reads = source.reads;
  clone->resources = source.resources;
  clone->groups = source.groups;
  clone->overlappingGroups = source.overlappingGroups;
  return clone;
}

/// The time after which the slowest definition of a register is there, by register unit: of instructions that write
/// the unit, the least.
class WriteLatencies {
public:
  explicit WriteLatencies(const llvm::MCRegisterInfo &registers) : registers_(registers) {}

  void add(uint16_t reg, int32_t latency) {
    for (const llvm::MCRegUnit unit : registers_.regunits(reg)) {
      const auto [known, isNew] = least_.try_emplace(static_cast<unsigned>(unit), latency);
      known->second = std::min(known->second, latency);
    }
  }
  /// Nothing if no instruction writes a part of the register.
  std::optional<int32_t> leastOf(uint16_t reg) const {
    std::optional<int32_t> least;
    for (const llvm::MCRegUnit unit : registers_.regunits(reg))
      if (const auto found = least_.find(static_cast<unsigned>(unit)); found != least_.end())
        least = std::min(least.value_or(found->second), found->second);
    return least;
  }

private:
  const llvm::MCRegisterInfo &registers_;
  llvm::DenseMap<unsigned, int32_t> least_;
};

} // namespace

/// What the user says of an instruction by a comment (an instrument) is not corrected.
void Lowering::correct(const Program &program, LoweredRegion &region, Corrections corrections) {
  if (!errata_)
    errata_.emplace(target_);
  for (uint32_t i = 0; i < region.instructions.size(); ++i) {
    if (!program.instrumentsOf(*region.sources[i]).empty())
      continue;
    const LoweredInstruction &source = *region.instructions[i];
    const llvm::MCInst &inst = region.sources[i]->inst;
    const std::optional<Erratum> erratum =
        errata_->find(inst.getOpcode(), {source.microOps, source.latency, !source.resources.empty()});
    if (!erratum || (corrections == Corrections::Rows && erratum->kind >= Erratum::Kind::FalseDependency))
      continue;
    region.errata.push_back({i, *erratum});
    if (source.kind)
      region.instructions[i] = corrected(source, inst, *erratum);
  }
  if (corrections == Corrections::All)
    issueLoadsEarly(program, region);
}

/// Replaces what the erratum has a value for.
void Lowering::correctRow(const Erratum &erratum, LoweredInstruction &row) const {
  for (ResourceUse &use : row.resources)
    if (!erratum.unit.empty() &&
        llvm::StringRef(resources_.describe(resources_.resourceOf(use.mask)).Name).ends_with(erratum.unit))
      use.cycles = erratum.cycles;
  if (erratum.microOps)
    row.microOps = erratum.microOps;
  if (!erratum.latency)
    return;
  for (LoweredInstruction::Write &write : row.writes)
    if (write.latency == row.latency)
      write.latency = erratum.latency;
  row.latency = erratum.latency;
}

/// The cached copy with the erratum's values; the instruction itself if none is known.
const LoweredInstruction *Lowering::corrected(const LoweredInstruction &source, const llvm::MCInst &inst,
                                              const Erratum &erratum) {
  using Kind = Erratum::Kind;
  if (!erratum.hasValues())
    return &source;
  std::unique_ptr<LoweredInstruction> &copy = corrected_[{&source, static_cast<uint32_t>(erratum.kind)}];
  if (copy)
    return copy.get();
  copy = cloneOf(source);
  copy->kind = ++kinds_;
  switch (erratum.kind) {
  case Kind::OneAccess:
    copy->microOps = std::max(source.microOps, erratum.lanes * erratum.microOpsPerLane);
    for (ResourceUse &use : copy->resources)
      use.cycles = std::min(use.cycles * erratum.lanes * erratum.accessesPerLane, kMostCycles);
    break;
  case Kind::TooFast:
  case Kind::TooSlow:
    correctRow(erratum, *copy);
    break;
  case Kind::FalseDependency: {
    const std::optional<int32_t> operation = operationLatency(source, inst);
    for (const LoweredInstruction::Write &write : source.writes)
      if (write.reg && write.latency == source.latency) {
        LoweredInstruction::Read &old = copy->reads.emplace_back();
        old.reg = write.reg;
        if (operation)
          old.neededAfter = static_cast<int16_t>(source.latency - *operation);
        break; // the first is the destination, the others are flags
      }
    break;
  }
  default:
    break;
  }
  return copy.get();
}

/// For an instruction that loads an operand: the latency of its operation alone, in cycles. It is the latency of the
/// form whose operand is a register; if the model has none, what its own read-advance leaves.
std::optional<int32_t> Lowering::operationLatency(const LoweredInstruction &source, const llvm::MCInst &inst) {
  if (!source.mayLoad || source.mayStore)
    return std::nullopt;
  std::optional<int32_t> latency = errata_->registerFormLatency(inst);
  if (!latency) {
    int32_t advance = 0;
    for (const LoweredInstruction::Read &read : source.reads)
      if (!read.isAddress)
        advance = std::max(advance, readAdvanceOf(read, target_));
    if (advance > 0)
      latency = source.latency - advance;
  }
  if (!latency || *latency < 1 || *latency >= source.latency)
    return std::nullopt;
  return latency;
}

/// A fused load issues apart from its operation, as soon as its address is known. LLVM has one issue for both, and
/// lets the operation's other operands come later by a read-advance. So the load cannot begin before the instruction
/// that writes such an operand issues, and an operand that is ready sooner than the read-advance helps nothing; and
/// some models have a read-advance that is too short for the load. Such an instruction is made to issue with its
/// operation, with its address needed earlier by the load's latency.
///
/// A store may have to be executed before the load: regions with stores are left as they are.
void Lowering::issueLoadsEarly(const Program &program, LoweredRegion &region) {
  const std::optional<Erratum> erratum = errata_->lateOperation();
  if (!erratum || llvm::any_of(region.instructions, [](const LoweredInstruction *one) { return one->mayStore; }))
    return;
  std::vector<std::optional<int32_t>> operations; // of the instructions that may be changed
  for (size_t i = 0; i < region.instructions.size(); ++i)
    operations.push_back(region.instructions[i]->kind && program.instrumentsOf(*region.sources[i]).empty()
                             ? operationLatency(*region.instructions[i], region.sources[i]->inst)
                             : std::nullopt);
  std::vector<bool> isEarly(region.instructions.size());
  // An operation's result that comes sooner may be one that another load waited for.
  for (bool changed = true; changed;) {
    changed = false;
    WriteLatencies latencies(target_.registers());
    for (size_t i = 0; i < region.instructions.size(); ++i)
      for (const LoweredInstruction::Write &write : region.instructions[i]->writes)
        if (write.reg)
          latencies.add(write.reg, isEarly[i] ? *operations[i] : write.latency);
    for (size_t i = 0; i < region.instructions.size(); ++i) {
      if (!operations[i] || isEarly[i])
        continue;
      const LoweredInstruction &source = *region.instructions[i];
      isEarly[i] = llvm::any_of(source.reads, [&](const LoweredInstruction::Read &read) {
        const std::optional<int32_t> ready = read.isAddress || !read.reg ? std::nullopt : latencies.leastOf(read.reg);
        const int32_t advance = read.neededAfter ? *read.neededAfter : readAdvanceOf(read, target_);
        return ready && (*ready < advance || advance < source.latency - *operations[i]);
      });
      changed |= isEarly[i];
    }
  }
  for (uint32_t i = 0; i < region.instructions.size(); ++i)
    if (isEarly[i]) {
      region.instructions[i] = issuedWithOperation(*region.instructions[i], *operations[i]);
      region.errata.push_back({i, *erratum});
    }
}

/// The cached copy that issues with its operation.
const LoweredInstruction *Lowering::issuedWithOperation(const LoweredInstruction &source, int32_t latency) {
  std::unique_ptr<LoweredInstruction> &copy =
      corrected_[{&source, static_cast<uint32_t>(Erratum::Kind::LateOperation)}];
  if (copy)
    return copy.get();
  copy = cloneOf(source);
  copy->kind = ++kinds_;
  const int32_t load = source.latency - latency;
  copy->latency = latency;
  for (LoweredInstruction::Write &write : copy->writes)
    write.latency = std::max(write.latency - load, 0);
  for (LoweredInstruction::Read &read : copy->reads)
    read.neededAfter = static_cast<int16_t>(read.isAddress ? -load : 0);
  return copy.get();
}

} // namespace mca

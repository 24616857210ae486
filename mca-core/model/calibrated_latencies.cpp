// A latency that the row lacks is taken from a pair that is alike, then from LLVM.
#include "mca-core/model/calibrated_latencies.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace mca {
namespace {

using llvm::MCRegister;
using llvm::StringRef;

constexpr unsigned kCarryKey = 1u << 16, kOtherFlagsKey = kCarryKey + 1; // beyond LLVM's register units
constexpr uint16_t kOldFlags = 0xFFFF;                                   // a number that no operand has
constexpr int32_t kIndependent = -1;
constexpr int32_t kVectorLoadExtra = 3; // cycles; what vector loads take longer where a form does not show it

bool isVectorName(StringRef name) {
  return name.starts_with("XMM") || name.starts_with("YMM") || name.starts_with("ZMM");
}

/// Whether the instruction does nothing with what it loads or stores.
bool onlyMoves(StringRef opcode) {
  opcode.consume_front("V");
  return opcode.starts_with("MOV") || opcode.starts_with("POP") || opcode.starts_with("PUSH") ||
         opcode.starts_with("LDDQU") || opcode.starts_with("BROADCAST");
}

std::optional<unsigned> firstMemoryOperand(const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  for (unsigned i = 0; i < std::min(inst.getNumOperands(), description.getNumOperands()); ++i)
    if (description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY)
      return i;
  return std::nullopt;
}

int32_t wholeCycles(double cycles) {
  return static_cast<int32_t>(std::lround(std::clamp(cycles, 0.0, double(kMaxLatency))));
}

} // namespace

void RegisterCells::reset(const Target &target, bool separateCarry) {
  target_ = &target;
  separateCarry_ = separateCarry;
  numbers_.clear();
}

llvm::SmallVector<unsigned, 4> RegisterCells::keysOf(MCRegister reg, FlagParts flags) const {
  const llvm::MCRegisterInfo &info = target_->registers();
  llvm::SmallVector<unsigned, 4> keys;
  if (target_->triple().isX86() && StringRef(info.getName(reg)) == "EFLAGS") {
    if (flags & kCarryFlag || !separateCarry_)
      keys.push_back(kCarryKey);
    if (flags & kOtherFlags && separateCarry_)
      keys.push_back(kOtherFlagsKey);
    return keys;
  }
  for (const llvm::MCRegUnit unit : info.regunits(reg))
    keys.push_back(static_cast<unsigned>(unit));
  if (!target_->triple().isX86() || keys.empty())
    return keys;
  // The first unit stands for the register and all its parts, high bytes included.
  return {static_cast<unsigned>(*info.regunits(wholeRegister(reg, *target_)).begin())};
}

void RegisterCells::define(MCRegister reg, FlagParts flags) {
  for (const unsigned key : keysOf(reg, flags))
    numbers_.try_emplace(key, static_cast<Cell>(numbers_.size()));
}

llvm::SmallVector<Cell, 4> RegisterCells::find(MCRegister reg, FlagParts flags) const {
  llvm::SmallVector<Cell, 4> cells;
  for (const unsigned key : keysOf(reg, flags))
    if (const auto found = numbers_.find(key); found != numbers_.end() && !llvm::is_contained(cells, found->second))
      cells.push_back(found->second);
  return cells;
}

CalibratedLatencies::CalibratedLatencies(const Target &target, const llvm::MCInst &inst,
                                         const LoweredInstruction &lowered, const CalibratedForm *row,
                                         const FormOperands &operands, const RegisterCells &cells, bool mergesPartial,
                                         Errata &errata)
    : errata_(errata), target_(target), inst_(inst), lowered_(lowered), row_(row), operands_(operands), cells_(cells),
      mergesPartial_(mergesPartial), oldFlags_{FormOperand::Kind::OldValue, kOldFlags, MCRegister()} {}

/// lea's address is no different from other operands.
bool CalibratedLatencies::isAddress(const FormOperand &operand) const {
  return operand.kind == FormOperand::Kind::Address && lowered_.isMemory();
}

bool CalibratedLatencies::isPartialWrite(MCRegister reg) const {
  const llvm::MCRegisterInfo &info = target_.registers();
  return mergesPartial_ && target_.triple().isX86() && !isVectorName(info.getName(reg)) &&
         llvm::range_size(info.superregs(reg)) >= 2;
}

bool CalibratedLatencies::waitsFor(const FormOperand &source) const {
  using Kind = FormOperand::Kind;
  if (source.kind == Kind::OldValue)
    return isPartialWrite(source.reg) || (row_ && llvm::any_of(row_->latencies, [&](const auto &latency) {
                                            return latency.source == source.number;
                                          }));
  if (source.kind == Kind::Address)
    return true;
  if (row_)
    return row_->treatment != RenameTreatment::Zero && row_->treatment != RenameTreatment::BreaksDependency;
  return llvm::none_of(
      lowered_.reads, [&](const LoweredInstruction::Read &read) { return read.independent && read.reg == source.reg; });
}

std::optional<int32_t> CalibratedLatencies::exactlyFromRow(uint16_t source, uint16_t destination) const {
  if (row_)
    for (const CalibratedForm::Latency &latency : row_->latencies)
      if (latency.source == source && latency.destination == destination)
        return wholeCycles(latency.cycles);
  return std::nullopt;
}

/// The parts of an address are alike, and the flags are ready when the result is.
std::optional<int32_t> CalibratedLatencies::fromRow(const FormOperand &source, const FormOperand &destination) const {
  if (const std::optional<int32_t> exact = exactlyFromRow(source.number, destination.number))
    return exact;
  std::optional<int32_t> alike;
  const auto take = [&](std::optional<int32_t> latency) {
    if (latency)
      alike = std::max(alike.value_or(0), *latency);
  };
  if (source.kind == FormOperand::Kind::Address)
    for (const FormOperand &other : operands_.sources)
      if (other.kind == FormOperand::Kind::Address)
        take(exactlyFromRow(other.number, destination.number));
  if (!alike && destination.kind == FormOperand::Kind::Flags)
    for (const FormOperand &other : operands_.destinations)
      take(exactlyFromRow(source.number, other.number));
  return alike;
}

/// A pair that no chain could be built for takes as long as the slowest of the others.
std::optional<int32_t> CalibratedLatencies::fromOtherSources(const FormOperand &destination) const {
  std::optional<int32_t> longest;
  for (const FormOperand &other : operands_.sources)
    if (!isAddress(other) && other.kind != FormOperand::Kind::OldValue)
      if (const std::optional<int32_t> latency = exactlyFromRow(other.number, destination.number))
        longest = std::max(longest.value_or(0), *latency);
  return longest;
}

int32_t CalibratedLatencies::writeLatencyOf(const FormOperand &destination) const {
  for (const LoweredInstruction::Write &write : lowered_.writes)
    if (write.reg == destination.reg)
      return std::clamp(write.latency, 0, kMaxLatency);
  return std::clamp(lowered_.latency, 0, kMaxLatency);
}

int32_t CalibratedLatencies::fromLlvm(const FormOperand &source, const FormOperand &destination) const {
  int32_t advance = 0;
  for (const LoweredInstruction::Read &read : lowered_.reads)
    if (read.reg == source.reg && source.kind != FormOperand::Kind::Address)
      advance = std::max(advance, readAdvanceOf(read, target_));
  const int32_t latency = std::max(0, writeLatencyOf(destination) - advance);
  return source.kind == FormOperand::Kind::Address ? latency : std::min(latency, registerFormLatency());
}

/// The load and the computation of an x86 instruction are two micro-ops, of which only the second one waits for the
/// registers. Some models let them be too late by a cycle or more, as Golden Cove's: its loads of vectors take longer
/// than the advance of the other registers that are read.
int32_t CalibratedLatencies::registerFormLatency() const {
  if (!target_.triple().isX86() || !lowered_.mayLoad)
    return kMaxLatency;
  return std::clamp(errata_.registerFormLatency(inst_).value_or(kMaxLatency), 0, kMaxLatency);
}

/// Merges are as slow as the computation.
int32_t CalibratedLatencies::oldValueLatency(const FormOperand &source, const FormOperand &destination) {
  if (source.number == kOldFlags)
    return destination.kind == FormOperand::Kind::Flags ? 1 : kIndependent;
  if (const std::optional<int32_t> exact = exactlyFromRow(source.number, destination.number))
    return *exact;
  if (source.number != destination.number || !isPartialWrite(destination.reg))
    return kIndependent;
  return lowered_.mayLoad ? 1 : std::max(1, longestFromRegisters(destination));
}

int32_t CalibratedLatencies::latencyOf(const FormOperand &source, const FormOperand &destination) {
  if (source.kind == FormOperand::Kind::OldValue)
    return oldValueLatency(source, destination);
  if (const std::optional<int32_t> known = fromRow(source, destination))
    return *known;
  // In a row of one register, a pair without a latency is known to have none.
  const bool isOfSame =
      row_ && llvm::StringRef(row_->shape).contains("same") && source.kind == FormOperand::Kind::Register;
  if (const std::optional<int32_t> alike = fromOtherSources(destination))
    return isOfSame ? kIndependent : *alike;
  usedLlvms_ = true;
  return fromLlvm(source, destination);
}

int32_t CalibratedLatencies::longestFromRegisters(const FormOperand &destination) {
  int32_t longest = 0;
  for (const FormOperand &source : operands_.sources)
    if (!isAddress(source) && source.kind != FormOperand::Kind::OldValue && waitsFor(source))
      longest = std::max(longest, latencyOf(source, destination));
  return longest;
}

/// An address may have no register, while the row, of another address, has one.
int32_t CalibratedLatencies::addressLatencyOf(const FormOperand &destination) {
  const std::optional<unsigned> first = firstMemoryOperand(inst_, target_.instructions().get(inst_.getOpcode()));
  const auto isAddressNumber = [&](unsigned number) {
    return first ? number >= *first && number < *first + 5 : number >= kFirstImplicit;
  };
  std::optional<int32_t> longest, ofOthers;
  for (const CalibratedForm::Latency &latency :
       row_ ? llvm::ArrayRef(row_->latencies) : llvm::ArrayRef<CalibratedForm::Latency>())
    if (isAddressNumber(latency.source)) {
      std::optional<int32_t> &known = latency.destination == destination.number ? longest : ofOthers;
      known = std::max(known.value_or(0), wholeCycles(latency.cycles));
    }
  if (!longest && destination.kind == FormOperand::Kind::Flags)
    longest = ofOthers;
  if (longest)
    return *longest;
  // Files have no latencies of pops, which are loads.
  if (row_ && lowered_.mayLoad && stackChangeOf(row_->opcode))
    return machinesLoad_;
  usedLlvms_ = true;
  return writeLatencyOf(destination);
}

/// What an address takes longer than a register is the load's part.
int32_t CalibratedLatencies::loadLatencyOf(int32_t machines) {
  if (operands_.destinations.empty())
    return machines;
  const FormOperand &result = operands_.destinations.front();
  const int32_t whole = addressLatencyOf(result);
  const int32_t computation = longestFromRegisters(result);
  if (computation > 0)
    return std::max(0, whole - computation);
  if (onlyMoves(target_.instructions().getName(inst_.getOpcode())))
    return whole;
  const bool isVector = isVectorName(target_.registers().getName(result.reg));
  return std::min(whole, machines + (isVector ? kVectorLoadExtra : 0));
}

void CalibratedLatencies::keep(const FormOperand &source) {
  for (const Cell cell : cells_.find(source.reg, flagsReadBy(inst_, target_)))
    kept_.push_back({&source, cell});
}

void CalibratedLatencies::addSources(CalibratedBody &body, CalibratedInstruction &instruction) {
  instruction.addressSources.first = static_cast<uint32_t>(body.sources.size());
  for (const FormOperand &source : operands_.sources)
    if (isAddress(source))
      for (const Cell cell : cells_.find(source.reg, kAllFlags))
        body.sources.push_back({cell, source.number, 0, static_cast<uint16_t>(source.reg.id())});
  instruction.addressSources.count = static_cast<uint32_t>(body.sources.size()) - instruction.addressSources.first;
  for (const FormOperand &source : operands_.sources)
    if (!isAddress(source) && waitsFor(source))
      keep(source);
  if (!cells_.separatesCarry() && target_.triple().isX86())
    for (const FormOperand &destination : operands_.destinations)
      if (destination.kind == FormOperand::Kind::Flags && flagsWrittenBy(inst_, target_) != kAllFlags)
        for (const Cell cell : cells_.find(destination.reg, kAllFlags))
          kept_.push_back({&oldFlags_, cell});
  instruction.sources = {static_cast<uint32_t>(body.sources.size()), static_cast<uint32_t>(kept_.size())};
  for (const Kept &kept : kept_)
    body.sources.push_back({kept.cell, kept.operand->number, 0, static_cast<uint16_t>(kept.operand->reg.id())});
}

/// An instruction without operands to wait for has no pair whose latency could have been measured. What takes one slot
/// computes for a cycle.
int32_t CalibratedLatencies::latencyOfNone(const FormOperand &destination) {
  if (row_ && row_->slots && *row_->slots <= 1)
    return 1;
  usedLlvms_ = true;
  return writeLatencyOf(destination);
}

/// The first latency counts from the loaded value; without a load, from the start, for operands that are always ready.
void CalibratedLatencies::addDestination(const FormOperand &destination, int32_t loadLatency, CalibratedBody &body) {
  CalibratedDestination &added = body.destinations.emplace_back();
  added.cells.first = static_cast<uint32_t>(body.cells.size());
  llvm::append_range(body.cells, cells_.find(destination.reg, flagsWrittenBy(inst_, target_)));
  added.cells.count = static_cast<uint32_t>(body.cells.size()) - added.cells.first;
  added.latencies = static_cast<uint32_t>(body.latencies.size());
  int32_t first = lowered_.mayLoad ? std::max(0, addressLatencyOf(destination) - loadLatency) : kIndependent;
  for (const FormOperand &source : operands_.sources)
    if (!isAddress(source) && waitsFor(source) && cells_.find(source.reg, flagsReadBy(inst_, target_)).empty())
      first = std::max(first, latencyOf(source, destination));
  const bool waits = llvm::any_of(kept_, [&](const Kept &kept) { return latencyOf(*kept.operand, destination) >= 0; });
  body.latencies.push_back(first < 0 && !waits ? latencyOfNone(destination) : first);
  for (const Kept &kept : kept_)
    body.latencies.push_back(latencyOf(*kept.operand, destination));
}

/// What is stored is ready when the flags are; stores that only move add nothing.
void CalibratedLatencies::addStored(const CalibratedInstruction &instruction, CalibratedBody &body) const {
  const auto latencies = static_cast<uint32_t>(body.latencies.size());
  const bool moves = onlyMoves(target_.instructions().getName(inst_.getOpcode()));
  for (size_t i = 0; i < operands_.destinations.size(); ++i)
    if (operands_.destinations[i].kind == FormOperand::Kind::Flags) {
      body.destinations.push_back({{}, body.destinations[instruction.destinations.first + i].latencies, true});
      return;
    }
  body.latencies.insert(body.latencies.end(), kept_.size() + 1, moves ? 0 : 1);
  body.destinations.push_back({{}, latencies, true});
}

/// A source may come later than the start by what the longest way to each destination leaves.
void CalibratedLatencies::addSlack(CalibratedBody &body, const CalibratedInstruction &instruction) const {
  const auto destinations = CalibratedBody::slice(body.destinations, instruction.destinations);
  for (uint32_t i = 0; i < kept_.size(); ++i) {
    int32_t slack = kMaxLatency;
    for (const CalibratedDestination &destination : destinations) {
      const int32_t *const latencies = &body.latencies[destination.latencies];
      if (latencies[i + 1] >= 0)
        slack = std::min(slack, *std::max_element(latencies, latencies + kept_.size() + 1) - latencies[i + 1]);
    }
    body.sources[instruction.sources.first + i].slack = slack == kMaxLatency ? 0 : slack;
  }
}

void CalibratedLatencies::add(int32_t loadLatency, CalibratedBody &body, CalibratedInstruction &instruction) {
  machinesLoad_ = loadLatency;
  addSources(body, instruction);
  if (instruction.mayLoad)
    instruction.loadLatency = loadLatencyOf(loadLatency);
  instruction.destinations.first = static_cast<uint32_t>(body.destinations.size());
  for (const FormOperand &destination : operands_.destinations)
    addDestination(destination, instruction.loadLatency, body);
  if (instruction.mayStore)
    addStored(instruction, body);
  instruction.destinations.count = static_cast<uint32_t>(body.destinations.size()) - instruction.destinations.first;
  addSlack(body, instruction);
  const bool executes =
      instruction.treatment == RenameTreatment::None || instruction.treatment == RenameTreatment::BreaksDependency;
  instruction.latencyIsLlvms = usedLlvms_ && executes;
}

} // namespace mca

// Opcodes are recognised by LLVM's names for them: their numbers are private to the backend.
#include "mca-core/measure/region_setup.h"

#include "mca-core/program/operands.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace mca::measure {
namespace {

constexpr uint64_t kArea = 60 << 10; ///< 16 of them leave room for the symbols
constexpr uint64_t kPointerMargin = 4 << 10;
constexpr uint64_t kLowBits = 192; ///< between the low 12 bits of two pointers
constexpr uint64_t kWorkingSet = 16 << 10;
constexpr uint64_t kLeastIterations = 16;
constexpr uint64_t kAlignment = 64; ///< of the widest vectors

bool startsWithAny(llvm::StringRef name, std::initializer_list<llvm::StringRef> prefixes) {
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

/// Whether the 32- or 64-bit form of an instruction is meant, such as ADD64ri8.
bool isOf(llvm::StringRef name, llvm::StringRef mnemonic, llvm::StringRef operands) {
  return name.consume_front(mnemonic) && (name.consume_front("64") || name.consume_front("32")) &&
         name.starts_with(operands);
}

} // namespace

RegionSetup::RegionSetup(const Target &target, const Program &program, std::span<const uint32_t> instructions,
                         std::span<const RegisterSetting> settings, MeasureMemory memory)
    : target_(target), registers_(target.registers()) {
  for (const uint32_t instruction : instructions)
    body_.push_back(program.instructions()[instruction].inst);
  for (uint32_t i = 0; i < values_.size(); ++i)
    values_[i] = i + 2;
  values_[2] = 1; // rdx, the upper half of a dividend, is less than any divisor
  findPointers();
  alignIndices();
  findSteps();
  placePointers(memory);
  override(settings);
}

std::optional<uint32_t> RegionSetup::registerAt(const llvm::MCInst &inst, unsigned operand) const {
  if (operand >= inst.getNumOperands() || !inst.getOperand(operand).isReg() || !inst.getOperand(operand).getReg())
    return std::nullopt;
  return registers_.indexOf(inst.getOperand(operand).getReg());
}

std::optional<RegionSetup::Address> RegionSetup::addressOf(const llvm::MCInst &inst) const {
  const std::optional<X86Address> address = x86AddressOf(inst, target_);
  if (!address)
    return std::nullopt;
  return Address{registers_.indexOf(address->base), registers_.indexOf(address->index), address->scale};
}

void RegionSetup::findPointers() {
  for (int round = 0; round < 2; ++round)
    for (const llvm::MCInst &inst : llvm::reverse(body_)) {
      const llvm::StringRef name = nameOf(inst);
      const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
      const auto address = addressOf(inst);
      const auto written = description.getNumDefs() ? registerAt(inst, 0) : std::nullopt;
      const bool isWanted = written && isPointer(*written);
      const bool isTied =
          description.getNumOperands() > 1 && description.getOperandConstraint(1, llvm::MCOI::TIED_TO) == 0;
      if (written && !isTied)
        setPointer(*written, false);
      const bool isAddressOnly = startsWithAny(name, {"LEA64", "LEA32"});
      // A copy or an address of something becomes a pointer: that was one, too.
      if (isWanted && isOf(name, "MOV", "rr"))
        if (const auto source = registerAt(inst, 1))
          setPointer(*source, true);
      const bool isAccess = description.mayLoad() || description.mayStore();
      if (address && (isAddressOnly ? isWanted : isAccess)) {
        if (address->base)
          setPointer(*address->base, true);
        else if (address->index && address->scale == 1)
          setPointer(*address->index, true);
      }
      // push, string instructions and the like.
      if (isAccess && !address)
        for (const llvm::MCPhysReg used : description.implicit_uses())
          if (const auto one = registers_.indexOf(used); one && *one > 2)
            setPointer(*one, true);
    }
  setPointer(kStackRegister, true);
}

/// Memory holds numbers of eight bytes. What is read from between two of them would be another one, such as a denormal
/// one.
void RegionSetup::alignIndices() {
  uint32_t indices = 0;
  for (const llvm::MCInst &inst : body_)
    if (const auto address = addressOf(inst); address && address->index && !isPointer(*address->index))
      indices |= 1u << *address->index;
  for (uint32_t i = 0; i < values_.size(); ++i)
    if (indices >> i & 1)
      values_[i] *= kAlignment;
}

/// What an instruction adds to a register, if that is a constant. A sum of less than 32 bits leaves the rest.
std::optional<std::pair<uint32_t, int64_t>> RegionSetup::stepOf(const llvm::MCInst &inst) const {
  const std::optional<AddedConstant> added = addedConstantOf(inst, target_);
  if (!added || added->source != added->destination || !definesWholeRegister(added->destination, target_))
    return std::nullopt;
  const auto stepped = registers_.indexOf(added->destination);
  return stepped ? std::optional(std::pair{*stepped, added->constant}) : std::nullopt;
}

void RegionSetup::findSteps() {
  steps_.fill(0);
  for (const llvm::MCInst &inst : body_) {
    if (const auto step = stepOf(inst)) {
      if (auto &sum = steps_[step->first]; sum && __builtin_add_overflow(*sum, step->second, &*sum))
        sum = std::nullopt;
      if (!nameOf(inst).starts_with("POP")) // which changes another register, too
        continue;
    }
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    for (unsigned i = 0; i < description.getNumDefs(); ++i)
      if (const auto one = registerAt(inst, i))
        steps_[*one] = std::nullopt;
    for (const llvm::MCPhysReg one : description.implicit_defs())
      if (const auto index = registers_.indexOf(one); index && *index != kStackRegister)
        steps_[*index] = std::nullopt;
  }
}

void RegionSetup::placePointers(MeasureMemory memory) {
  for (uint32_t i = 0; i < values_.size(); ++i) {
    room_[i] = kArea / 2 - kPointerMargin;
    places_[i] = memory.begin + i * kArea + kArea / 2 + (i + 1) * kLowBits;
    if (isPointer(i))
      values_[i] = places_[i];
  }
}

void RegionSetup::override(std::span<const RegisterSetting> settings) {
  for (const RegisterSetting &setting : settings) {
    const uint32_t one = setting.generalRegister;
    if (setting.kind != RegisterSetting::Kind::Added)
      fixed_ |= 1u << one;
    switch (setting.kind) {
    case RegisterSetting::Kind::Added:
      values_[one] += setting.value;
      break;
    case RegisterSetting::Kind::Value:
      values_[one] = setting.value;
      setPointer(one, false);
      break;
    case RegisterSetting::Kind::Buffer:
      setPointer(one, true);
      values_[one] = places_[one];
      if (setting.bytes)
        room_[one] = setting.bytes;
      break;
    case RegisterSetting::Kind::SameLine:
      setPointer(one, true);
      values_[one] = values_[setting.buffer];
      break;
    }
  }
}

bool RegionSetup::alignNumbers() {
  for (uint32_t i = 0; i < values_.size() && !areAligned_; ++i)
    if (!isPointer(i) && !(fixed_ >> i & 1))
      values_[i] *= kAlignment;
  return !std::exchange(areAligned_, true);
}

void RegionSetup::apply(CodeToRun &code) const {
  std::ranges::copy(values_, code.registers);
}

uint64_t RegionSetup::iterations(uint64_t most) const {
  uint64_t perIteration = 0, least = most;
  const auto walk = [&](uint32_t pointer, uint64_t step) {
    perIteration += step;
    if (step)
      least = std::min(least, room_[pointer] / step);
  };
  const auto sizeOf = [&](uint32_t one) {
    constexpr int64_t kLargest = 1 << 20;
    return static_cast<uint64_t>(std::abs(std::clamp(steps_[one].value_or(0), -kLargest, kLargest)));
  };
  std::array<uint64_t, 16> byIndex{}; // the largest step of a pointer's index
  for (const llvm::MCInst &inst : body_)
    if (const auto address = addressOf(inst); address && address->base && address->index)
      byIndex[*address->base] =
          std::max(byIndex[*address->base], sizeOf(*address->index) * static_cast<uint64_t>(address->scale));
  for (uint32_t i = 0; i < values_.size(); ++i)
    if (isPointer(i))
      walk(i, sizeOf(i) + byIndex[i]);
  if (perIteration)
    least = std::min(least, kWorkingSet / perIteration);
  return std::max(least, kLeastIterations);
}

/// Solves for the first values: the branch's condition is a comparison, or what the last change of a register left.
bool RegionSetup::applyFor(CodeToRun &code, uint64_t iterations) const {
  apply(code);
  if (body_.size() < 2)
    return false;
  const auto count = static_cast<int64_t>(iterations);
  const auto flags = std::find_if(body_.rbegin() + 1, body_.rend(), [&](const llvm::MCInst &inst) {
    return llvm::any_of(target_.instructions().get(inst.getOpcode()).implicit_defs(), [&](llvm::MCPhysReg one) {
      return llvm::StringRef(target_.registers().getName(one)) == "EFLAGS";
    });
  });
  if (flags == body_.rend())
    return false;
  const llvm::StringRef name = nameOf(*flags);
  const auto first = registerAt(*flags, 0);
  if (!first || !steps_[*first])
    return false;
  uint64_t *const values = code.registers;
  const bool isComparison = isOf(name, "CMP", "ri");
  if (isComparison || isOf(name, "TEST", "rr") || stepOf(*flags)) {
    const bool hasBound = isComparison && flags->getOperand(1).isImm();
    if (!*steps_[*first] || (isComparison && !hasBound) || isPointer(*first))
      return false;
    values[*first] = static_cast<uint64_t>((hasBound ? flags->getOperand(1).getImm() : 0) - count * *steps_[*first]);
    return true;
  }
  const auto second = registerAt(*flags, 1);
  if (!isOf(name, "CMP", "rr") || !second || !steps_[*second] || *steps_[*first] == *steps_[*second])
    return false;
  // The bound is computed from what walks towards it.
  const int64_t distance = count * (*steps_[*first] - *steps_[*second]);
  if (*steps_[*second] == 0)
    values[*second] = values[*first] + static_cast<uint64_t>(distance);
  else
    values[*first] = values[*second] - static_cast<uint64_t>(distance);
  return true;
}

} // namespace mca::measure

#include "analysis/import/relaxed_function.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using mca::BranchKind;

/// Compares the instructions one by one.
class RelaxedMatch {
public:
  RelaxedMatch(const std::vector<uint32_t> &instructions, const mca::ProgramBranches &branches,
               const AssembledText &text, const ProgramFunction &function)
      : instructions_(instructions), branches_(branches), text_(text), function_(function) {}

  /// Returns where they differ, or an empty text.
  std::string match() {
    for (size_t i = 0; i < instructions_.size(); ++i)
      if (!matchInstruction(i))
        return "the program's differs from the text's at instruction " + std::to_string(i + 1) + " (line " +
               std::to_string(branches_.lineOf(instructions_[i])) + "), with what the linker may have changed left out";
    skipPadding();
    if (function_.hasSize && at_ != function_.bytes.size())
      return "the program's is longer than the text's";
    return branchesAgree() ? "" : "its branches go elsewhere in the program";
  }
  std::vector<uint64_t> takeAddresses() { return std::move(addresses_); }

private:
  std::optional<DecodedInstruction> theirs() const {
    return text_.decode(function_.bytes.drop_front(at_), function_.address + at_);
  }
  std::optional<DecodedInstruction> oursAt(size_t index) const {
    const EncodedInstruction &encoded = text_.at(instructions_[index]);
    return text_.decode(encoded.bytes, encoded.offset);
  }

  void skipPadding() {
    for (auto inst = theirs(); inst && text_.isNop(inst->inst); inst = theirs())
      at_ += inst->size;
  }

  bool matchInstruction(size_t index) {
    const uint32_t instruction = instructions_[index];
    const EncodedInstruction &encoded = text_.at(instruction);
    const auto ours = oursAt(index);
    if (ours && !text_.isNop(ours->inst))
      skipPadding();
    const auto other = theirs();
    if (!ours || !other)
      return false;
    addresses_.push_back(function_.address + at_);
    // Distances change with the length of the code.
    const bool hasDistance = !encoded.relocation.empty() || branches_.kindOf(instruction) != BranchKind::None;
    if (hasDistance ? haveSameRegisters(ours->inst, other->inst) : areEqual(ours->inst, other->inst)) {
      at_ += other->size;
      return matchRestOfCall(instruction);
    }
    if (encoded.relocation.empty())
      return false;
    // A call of two instructions became one, or an address another one. If the next instruction comes already, this one
    // is missing.
    const bool isBranch = branches_.kindOf(instruction) != BranchKind::None;
    if (isBranch && text_.kindOf(other->inst) != branches_.kindOf(instruction))
      return false;
    const auto next = index + 1 < instructions_.size() ? oursAt(index + 1) : std::nullopt;
    if (isBranch || !next || next->inst.getOpcode() != other->inst.getOpcode())
      at_ += other->size;
    return true;
  }

  /// A call is one instruction of the text, but two in its long form: the second one is a jump to a register.
  bool matchRestOfCall(uint32_t instruction) {
    const BranchKind kind = branches_.kindOf(instruction);
    const EncodedInstruction &encoded = text_.at(instruction);
    const auto first = text_.decode(encoded.bytes, encoded.offset);
    if (kind == BranchKind::None || encoded.relocation.empty() || text_.kindOf(first->inst) != BranchKind::None)
      return true;
    const auto second = theirs();
    if (!second || text_.kindOf(second->inst) == BranchKind::None)
      return false;
    at_ += second->size;
    return true;
  }

  /// Whether each direct branch in the function goes to the instruction that it goes to in the text.
  bool branchesAgree() const {
    llvm::DenseMap<uint32_t, uint64_t> places;
    for (const auto [instruction, address] : llvm::zip(instructions_, addresses_))
      places[instruction] = address;
    return llvm::all_of(llvm::zip(instructions_, addresses_), [&](const auto &pair) {
      const auto [instruction, address] = pair;
      const mca::Branch &branch = branches_.at(instruction);
      const auto target = branch.target == mca::kNone ? places.end() : places.find(branch.target);
      if (target == places.end() || branch.kind == BranchKind::Call)
        return true;
      const auto inst = text_.decode(function_.bytes.drop_front(address - function_.address), address);
      return inst && text_.targetOf(*inst, address) == target->second;
    });
  }

  const std::vector<uint32_t> &instructions_;
  const mca::ProgramBranches &branches_;
  const AssembledText &text_;
  const ProgramFunction &function_;
  uint64_t at_ = 0; ///< in the program's function
  std::vector<uint64_t> addresses_;
};

} // namespace

bool isRelaxedByLinkers(const llvm::Triple &triple) {
  return triple.isRISCV() || triple.isLoongArch();
}

std::optional<std::vector<uint64_t>> findRelaxed(const std::vector<uint32_t> &instructions,
                                                 const mca::ProgramBranches &branches, const AssembledText &text,
                                                 const ProgramFunction &function, std::string &why) {
  RelaxedMatch match(instructions, branches, text, function);
  why = match.match();
  return why.empty() ? std::optional(match.takeAddresses()) : std::nullopt;
}

} // namespace analysis

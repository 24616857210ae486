#include "analysis/import/placement.h"

#include "analysis/import/relaxed_function.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace analysis {
namespace {

/// Whether linkers replace the instructions of a relocation by others: through the GOT or for thread-local variables,
/// and lld on AArch64 for addresses of symbols that are near.
bool isReplacedByLinkers(llvm::StringRef relocation) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringLiteral>{"GOT", "TLS", "_TP", "ADR_PREL_PG", "ADD_ABS_LO12"},
                      [&](llvm::StringRef part) { return relocation.contains(part); });
}

} // namespace

Placement::Placement(const mca::ProgramBranches &branches, const mca::Program &program, const AssembledText &text,
                     const ProgramImage &image)
    : branches_(branches), program_(program), text_(text), image_(image), addresses_(branches.size(), kNoAddress),
      refusals_(branches.functions().size()) {
  for (const Part &part : findParts())
    if (std::string why = place(part); !why.empty())
      refusals_[part.function] = std::move(why);
  if (!instructions_.empty())
    lowest_ = ~uint64_t{0};
  for (const auto &[address, instruction] : instructions_) {
    lowest_ = std::min(lowest_, address);
    highest_ = std::max(highest_, address);
  }
}

std::vector<Placement::Part> Placement::findParts() const {
  llvm::DenseMap<uint32_t, llvm::StringRef> names; // of labels that the object file has
  for (const mca::Label &label : program_.labels())
    if (const uint32_t place = branches_.placeOf(label.name); place != mca::kNone && !branches_.isPrivate(label.name))
      names.try_emplace(place, llvm::StringRef(label.name.data(), label.name.size()));
  std::vector<Part> parts;
  llvm::DenseMap<const llvm::MCSection *, size_t> open;
  for (uint32_t i = 0; i < branches_.size(); ++i) {
    const uint32_t function = branches_.functionOf(i);
    const auto [index, isNew] = open.try_emplace(program_.instructions()[i].section, parts.size());
    if (isNew || parts[index->second].function != function) {
      const mca::TextFunction &named = branches_.functions()[function];
      index->second = parts.size();
      parts.push_back({function, named.entry == i ? std::string(named.name) : names.lookup(i).str(), {}});
    }
    parts[index->second].instructions.push_back(i);
  }
  return parts;
}

/// Finds a part in the program. Returns why it cannot be placed, or an empty text.
std::string Placement::place(const Part &part) {
  const auto candidates = image_.functionsNamed(part.name);
  if (part.name.empty())
    return "it has no name";
  if (candidates.empty())
    return "the program has no function of this name; it may be stripped, or the function inlined everywhere";
  std::optional<std::vector<uint64_t>> found;
  std::string why;
  for (const ProgramFunction &candidate : candidates) {
    auto addresses = addressesIn(part, candidate, why);
    if (found && addresses && found->front() != addresses->front())
      return "the program has several functions of this name with the same code";
    if (addresses)
      found = std::move(addresses);
  }
  if (!found)
    return why;
  for (const auto [instruction, address] : llvm::zip(part.instructions, *found)) {
    addresses_[instruction] = address;
    instructions_.try_emplace(address, instruction);
  }
  // A branch that is not taken may go on in the padding before the next instruction.
  for (size_t i = 1; i < found->size(); ++i)
    instructions_.try_emplace((*found)[i - 1] + text_.at(part.instructions[i - 1]).bytes.size(), part.instructions[i]);
  return {};
}

/// The addresses of a part's instructions if a function of the program is the same; otherwise the reason in `why`.
std::optional<std::vector<uint64_t>> Placement::addressesIn(const Part &part, const ProgramFunction &function,
                                                            std::string &why) const {
  if (std::string difference = differenceOf(part, function); !difference.empty()) {
    why = std::move(difference);
    return isRelaxedByLinkers(text_.triple()) ? findRelaxed(part.instructions, branches_, text_, function, why)
                                              : std::nullopt;
  }
  std::vector<uint64_t> addresses;
  for (const uint32_t instruction : part.instructions)
    addresses.push_back(function.address + (text_.at(instruction).offset - text_.at(part.instructions.front()).offset));
  return addresses;
}

std::string Placement::differenceOf(const Part &part, const ProgramFunction &function) const {
  for (size_t i = 0; i < part.instructions.size(); ++i)
    if (std::string difference = differenceAt(part, i, function); !difference.empty())
      return difference;
  const uint64_t size = text_.sizeOf(part.name);
  if (function.hasSize && size != 0 && size != function.bytes.size())
    return "the program's has " + std::to_string(function.bytes.size()) + " bytes, the text's " + std::to_string(size);
  return {};
}

std::string Placement::differenceAt(const Part &part, size_t index, const ProgramFunction &function) const {
  const uint32_t instruction = part.instructions[index];
  const EncodedInstruction &ours = text_.at(instruction), &first = text_.at(part.instructions.front());
  const std::string where =
      "instruction " + std::to_string(index + 1) + " (line " + std::to_string(branches_.lineOf(instruction)) + ")";
  if (ours.section == EncodedInstruction::kNowhere || ours.section != first.section || ours.offset < first.offset ||
      ours.bytes.empty())
    return "the place of " + where + " is not known";
  const uint64_t offset = ours.offset - first.offset;
  if (offset + ours.bytes.size() > function.bytes.size())
    return "the program's ends before " + where;
  const llvm::StringRef theirs = function.bytes.drop_front(offset);
  const bool isRelocated = !ours.relocation.empty() || leavesFunction(instruction);
  if (theirs.starts_with(ours.bytes) || isReplacedByLinkers(ours.relocation))
    return {};
  const auto ourInst = text_.decode(ours.bytes, ours.offset),
             theirInst = text_.decode(theirs, function.address + offset);
  if (isRelocated && ourInst && theirInst && haveSameRegisters(ourInst->inst, theirInst->inst))
    return {};
  std::string difference = "the program's differs from the text's at " + where;
  if (ourInst && theirInst)
    difference += ": `" + text_.mnemonicOf(theirInst->inst) + "` against `" + text_.mnemonicOf(ourInst->inst) + "`";
  return difference;
}

/// Whether a direct branch goes to another function: the assembler resolves it if both are in one section.
bool Placement::leavesFunction(uint32_t instruction) const {
  const mca::Branch &branch = branches_.at(instruction);
  const bool isDirect = branch.kind == mca::BranchKind::Call || branch.kind == mca::BranchKind::Jump ||
                        branch.kind == mca::BranchKind::ConditionalJump;
  return isDirect &&
         (branch.target == mca::kNone || branches_.functionOf(branch.target) != branches_.functionOf(instruction));
}

} // namespace analysis

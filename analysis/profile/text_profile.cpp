#include "analysis/profile/text_profile.h"

#include "analysis/profile/function_match.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace analysis {
namespace {

/// Where the text has the code of a profiled function: at the label of one of its names. Another compiler may have made
/// a version of a function, `f.constprop.0`, where the text has `f`. kNone if it has none.
uint32_t entryOf(const ProfiledFunction &function, const mca::ProgramBranches &branches) {
  const auto find = [&](const std::string &name) {
    return branches.isPrivate(name) ? mca::kNone : branches.placeOf(name);
  };
  uint32_t entry = find(function.name);
  for (size_t i = 0; i < function.aliases.size() && entry == mca::kNone; ++i)
    entry = find(function.aliases[i]);
  return entry == mca::kNone ? find(function.name.substr(0, function.name.find('.'))) : entry;
}

} // namespace

TextProfile::TextProfile(const Profile &profile, const mca::ProgramBranches &branches) {
  std::map<uint32_t, std::vector<const ProfiledFunction *>> recorded; // by entry
  for (const ProfiledFunction &function : profile.functions) {
    if (function.code.empty() && function.weight() == 0)
      continue; // it has iterations of source lines alone
    const uint32_t entry = entryOf(function, branches);
    if (entry != mca::kNone && branches.functionOf(entry) != mca::kNone)
      recorded[entry].push_back(&function);
  }
  if (recorded.empty())
    return; // so it is for most texts
  instructions_.resize(branches.size());
  const FunctionMatcher matcher(branches);
  struct Part {
    const ProfiledFunction *function;
    FunctionMatcher::Match match;
  };
  for (const auto &[entry, functions] : recorded) {
    std::vector<Part> parts;
    for (const ProfiledFunction *function : functions)
      parts.push_back({function, matcher.match(entry, *function)});
    Function &whole = functions_[branches.functionOf(entry)];
    // Of static functions of one name, those that are not this text's belong to other files.
    const bool isKnown = llvm::any_of(parts, [](const Part &part) { return part.match.difference.empty(); });
    for (const Part &part : parts) {
      if (isKnown && !part.match.difference.empty())
        continue;
      whole.weight += part.function->weight();
      if (isKnown)
        add(*part.function, part.match.offsets, part.match.instructions);
      else
        whole.recorded.push_back(part.function);
      if (!isKnown && whole.difference.empty())
        whole.difference = part.match.difference;
    }
  }
}

/// Adds each place to the instruction that begins at it. Padding is executed after the instruction before it: a loop is
/// entered through the padding in front of it, and does not go around through that.
void TextProfile::add(const ProfiledFunction &function, const std::vector<uint64_t> &offsets,
                      const std::vector<uint32_t> &instructions) {
  size_t next = 0, last = 0; // both ascend; `sum` is of the instruction before `last`
  Sum *sum = nullptr;
  for (size_t i = 0; i < function.places.size(); ++i) {
    const ProfiledPlace &place = function.places[i];
    while (next < offsets.size() && offsets[next] <= place.offset)
      ++next;
    if (next == 0)
      continue;
    if (next != last)
      sum = &instructions_[instructions[next - 1]];
    last = next;
    sum->weight += place.weight;
    sum->executions = llvm::SaturatingAdd(sum->executions, function.executionsOf(i));
  }
}

const TextProfile::Function *TextProfile::function(uint32_t index) const {
  const auto found = functions_.find(index);
  return found == functions_.end() ? nullptr : &found->second;
}

uint64_t TextProfile::weightOf(std::span<const uint32_t> instructions) const {
  uint64_t sum = 0;
  for (const uint32_t instruction : instructions)
    sum += at(instruction).weight;
  return sum;
}

} // namespace analysis

#include "analysis/import/trace_notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace analysis {

std::string quotedName(std::string_view name) {
  const llvm::StringRef text(name.data(), name.size());
  const auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  static constexpr llvm::StringLiteral kKeywords[] = {"ENTRY", "RET", "FALLTHROUGH", "T", "N", "m", "buildid", "."};
  // `x5` repeats the token before it.
  const bool isRepeat = text.size() > 1 && text[0] == 'x' && llvm::isDigit(text[1]);
  if (!text.empty() && !llvm::isDigit(text[0]) && llvm::all_of(text, isPlain) && !isRepeat &&
      !llvm::is_contained(kKeywords, text))
    return text.str();
  return "\"" + text.str() + "\"";
}

std::vector<std::string> labelNotations(const mca::Program &program, const mca::ProgramBranches &branches) {
  std::vector<std::string> notations(branches.size());
  for (const mca::TextFunction &function : branches.functions())
    if (!function.name.empty())
      notations[function.entry] = quotedName(function.name);
  llvm::StringSet<> targets;
  for (uint32_t i = 0; i < branches.size(); ++i)
    targets.insert(branches.at(i).symbolName());
  for (const bool isTarget : {true, false})
    for (const mca::Label &label : program.labels()) {
      const uint32_t place = branches.placeOf(label.name);
      if (place != mca::kNone && !label.name.empty() && notations[place].empty() &&
          targets.contains(label.name) == isTarget)
        notations[place] = quotedName(label.name);
    }
  return notations;
}

std::string placeNotation(uint32_t branch, const mca::ProgramBranches &branches, const std::vector<std::string> &labels,
                          const mca::SizeOf &sizeOf) {
  // Instructions of other sections may stand between, so the way back is by index, and checked forwards.
  for (uint32_t start = branch + 1; start-- > 0;) {
    if (labels[start].empty() || branches.functionOf(start) != branches.functionOf(branch))
      continue;
    uint64_t distance = 0;
    bool hasBranch = false;
    uint32_t at = start;
    for (; at != branch && at != mca::kNone && at < branch; at = branches.next(at)) {
      distance += sizeOf ? sizeOf(at) : 0;
      hasBranch |= branches.kindOf(at) != mca::BranchKind::None;
    }
    if (at != branch)
      continue;
    if (!hasBranch)
      return labels[start];
    return sizeOf ? labels[start] + "+0x" + llvm::utohexstr(distance, /*LowerCase=*/true) : std::string();
  }
  return {};
}

} // namespace analysis

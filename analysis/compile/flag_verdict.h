// What the two lists of flags share: the verdict on a flag, and how a list gives one.
//
// flags.cpp has the list for clang's option table, and gcc_flags.cpp that for gcc's own options.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace analysis {

enum class FlagVerdict : uint8_t {
  Keep,
  Expected, ///< left out without a note: it cannot change the assembly's instructions, or our own flags replace it
  LoadsCode,
  WritesFiles,
  LinkTime,
  Precompiled,
  ModuleFile, ///< kept if the file that it names is one of the project's
  Unknown,
  Refused, ///< by clang, for this target, CPU or file
  Unlisted,
};

/// The flags that share a verdict.
struct FlagRules {
  FlagVerdict verdict;
  /// Each is a whole spelling, or the beginning of spellings where it ends in '*'.
  llvm::ArrayRef<llvm::StringRef> patterns;
};

/// The verdict of the first rule with a pattern that matches; none if there is none.
inline std::optional<FlagVerdict> firstMatch(llvm::ArrayRef<FlagRules> rules, llvm::StringRef spelling) {
  const auto matches = [&](llvm::StringRef pattern) {
    return pattern.consume_back("*") ? spelling.starts_with(pattern) : spelling == pattern;
  };
  for (const FlagRules &rule : rules)
    if (llvm::any_of(rule.patterns, matches))
      return rule.verdict;
  return std::nullopt;
}

/// The verdict on an argument of gcc's, as it is written. `unknownToClang`: clang's driver has no such option, or
/// ignores it. No value if the verdict on the clang option of that name holds.
std::optional<FlagVerdict> judgeForGcc(llvm::StringRef argument, bool unknownToClang);

} // namespace analysis

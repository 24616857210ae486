// What becomes of one flag, and how a list of rules says so.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace analysis {

enum class FlagVerdict : uint8_t {
  Keep,
  Expected, ///< left out without a word: it cannot change the assembly's instructions, or is what we replace
  LoadsCode,
  WritesFiles,
  LinkTime,
  Precompiled,
  Unknown,
  Refused, ///< by clang, of this target, CPU or file
  Unlisted,
};

struct FlagRule {
  llvm::StringRef pattern; ///< the whole spelling, or its beginning where it ends in '*'
  FlagVerdict verdict;

  bool matches(llvm::StringRef spelling) const {
    llvm::StringRef rest = pattern;
    return rest.consume_back("*") ? spelling.starts_with(rest) : spelling == rest;
  }
};

/// gcc's view of an argument, as it is written. `unknownToClang`: clang's driver has no such option, or ignores it. No
/// value: what clang's list says of it holds.
std::optional<FlagVerdict> judgeForGcc(llvm::StringRef argument, bool unknownToClang);

} // namespace analysis

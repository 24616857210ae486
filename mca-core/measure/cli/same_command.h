// `mca-measure same`: whether two versions of a function have the same results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mca::measure {

struct SameCommandOptions {
  std::string one, other;             ///< paths of assembly texts
  std::string function;               ///< its symbol
  std::string returns;                ///< a type (value_type.h); empty for none
  std::vector<std::string> arguments; ///< their types
  bool anyOverlap = false;
  uint64_t seed = 1;
  bool json = false;
};

/// Returns the exit status: 0 also if they differ or cannot be compared, 1 after an error message.
int runSame(const SameCommandOptions &options, llvm::raw_ostream &out);

} // namespace mca::measure

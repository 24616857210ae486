// Whether two versions of a function have the same results: both run on the same random inputs, and every bit of the
// arrays, of the variables and of the returned value is compared.
//
// An input on which the first version faults is discarded: it is none that the function is made for. A difference
// counts only if both versions show it again when they run alone, as a wild write on another input may have caused it.
// No number of inputs proves that two functions are the same; each of them can prove that they differ.
#pragma once

#include "mca-core/measure/same/random_input.h"

#include <optional>
#include <string>

namespace mca::measure {

struct SameOptions {
  uint64_t seed = 1;       ///< of all inputs
  bool anyOverlap = false; ///< arrays of types that C lets not overlap do so, too
};

struct ResultDifference {
  uint32_t run = 0;             ///< which input, from 0 on, with the same seed
  std::optional<int64_t> count; ///< an integer argument, if there are any
  bool isOverlapping = false;
  bool isOnlyNaN = false; ///< both are NaN wherever they differ, with other bits
  std::string what;       ///< "argument 2, element 17: 3.5 and 3.4999998"
};

struct SameReport {
  uint32_t runs = 0;        ///< compared inputs whose arrays are separate
  uint32_t overlapping = 0; ///< compared inputs with arrays that overlap
  uint32_t discarded = 0;
  /// The strongest that was found; differences that are not only NaN are stronger. After such a one of separate arrays
  /// nothing more is compared.
  std::optional<ResultDifference> separate, overlapped;

  bool isSame() const { return !separate && !overlapped; }
};

/// Compares what linkText() returned for both versions. Fails with a clause that says why there is no answer, such as
/// "it calls expf" about the first version or both, and "the other version calls expf". One call at a time in a
/// process.
Result<SameReport> compareResults(const Result<LinkedText> &one, const Result<LinkedText> &other,
                                  const Signature &signature, const SameOptions &options);

} // namespace mca::measure

// Random arguments for a function: numbers, and arrays in the cells of a CallRunner.
//
// Arrays hold plain numbers, small ones, any bits, or special ones (NaN, infinities, denormals, zeros, extremes). In
// half of the inputs all integers in arrays are below 200, so that those that serve as indices stay inside of the
// arrays. An array begins some elements after a multiple of 64 bytes, and has memory before it.
#pragma once

#include "mca-core/measure/same/call_runner.h"
#include "mca-core/measure/same/value_type.h"

namespace mca::measure {

/// What identifies an input; the rest follows from it.
struct InputCase {
  static constexpr uint32_t kMaxCount = 200;

  enum class Kind : uint8_t {
    Separate,    ///< each pointer points to an array of its own
    Overlapping, ///< some point into the same array
    AnyInteger   ///< separate, and an integer argument may be negative or large
  };
  uint64_t seed = 0;
  uint32_t count = 0; ///< one of the integer arguments; 0 to kMaxCount
  Kind kind = Kind::Separate;
};

struct RandomInput {
  struct Array {
    uint32_t argument = 0;
    size_t cell = 0;
    uint64_t ownPointer = 0; ///< to its first element, in the cell
    uint64_t pointer = 0;    ///< the argument; in another's cell if they overlap
  };
  CallArguments arguments;
  std::vector<Array> arrays;
  std::optional<int64_t> count; ///< the integer argument that InputCase::count is for, if there are any
};

class InputGenerator {
public:
  /// Arrays of different types overlap if one has elements of a byte or both differ in the sign only, as C allows it;
  /// `anyOverlap`: all others do, too. `hasData`: each call needs a cell for the content of variables, which is the
  /// text's. Keeps references to the signature and the text.
  InputGenerator(const Signature &signature, const LinkedText &text, bool hasData, bool anyOverlap);

  bool canOverlap() const { return !pairs_.empty(); }
  bool hasIntegers() const { return !integers_.empty(); }
  size_t cellsPerCall() const { return arrays_.size() + hasData_; }
  /// Why the function cannot be called; empty if it can.
  std::string refusal() const;

  /// Fills cellsPerCall() cells from the first one on.
  RandomInput write(const InputCase &chosen, CallRunner &runner, size_t firstCell) const;

private:
  struct Pair {
    size_t one = 0, other = 0; ///< indices in `arrays_`, ascending
  };
  class Writer;

  const Signature &signature_;
  const LinkedText &text_;
  const bool hasData_;
  std::vector<uint32_t> arrays_, integers_; ///< arguments
  std::vector<Pair> pairs_;                 ///< that may overlap
};

} // namespace mca::measure

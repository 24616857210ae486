// Functions with loops whose iterations are known, for compilers to transform and for the test to run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iterations {

/// A loop of the source, on a line of its own.
struct SourceLoop {
  uint32_t line = 0;    ///< 1-based
  uint64_t fixed = 0;   ///< iterations in one run: these …
  uint64_t perRun = 0;  ///< … and this many times the run's number
  uint64_t divisor = 1; ///< of that product, rounded up
  uint64_t in(uint64_t number) const { return fixed + (perRun * number + divisor - 1) / divisor; }
};

struct Source {
  std::string text; ///< C; `runAll(n)` calls each function once
  std::vector<SourceLoop> loops;
};

/// Elements of each array that the functions work on, and the most that a run may be given.
constexpr uint64_t kElements = 8192;
constexpr uint64_t kMostInRun = 1024;

/// For each of C's number types each kind of loop.
Source makeSource();

} // namespace iterations

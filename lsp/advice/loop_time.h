// How long a whole loop takes for n iterations of the source: the body of a vectorized loop does many at once, and what
// is left goes through a remainder that does fewer. With few iterations the steady rate of the body says little.
#pragma once

#include <cstdint>
#include <vector>

namespace lsp {

/// One loop of machine code of those that a source loop became.
struct LoopPart {
  uint32_t iterations = 1; ///< of the source in one of the machine code
  double cycles = 0;       ///< of that
};

struct WholeLoop {
  std::vector<LoopPart> parts; ///< the body first, then those that take what it leaves
  double exitCost = 0;         ///< cycles lost where a further part begins: its length is seldom predicted

  /// Cycles of `n` iterations. A body without a remainder is taken to do the last ones at once.
  double cycles(uint64_t n) const;
};

/// The number of iterations from which on `now` is faster than `before` for every longer loop, as far as their bodies'
/// lengths show; 0 if it always is, and no longer loop is looked at than `kLongest`. If it is never faster: kLongest.
uint64_t fasterFrom(const WholeLoop &now, const WholeLoop &before);
inline constexpr uint64_t kLongest = 4096;

} // namespace lsp

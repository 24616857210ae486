#include "lsp/advice/loop_time.h"

namespace lsp {

double WholeLoop::cycles(uint64_t n) const {
  double total = 0;
  unsigned entered = 0;
  for (const LoopPart &part : parts) {
    const uint64_t rounds = n / part.iterations;
    if (rounds == 0)
      continue;
    total += static_cast<double>(rounds) * part.cycles;
    n -= rounds * part.iterations;
    entered += 1;
  }
  if (n > 0 && !parts.empty()) {
    total += parts.back().cycles;
    entered += 1;
  }
  return total + (entered > 1 ? (entered - 1) * exitCost : 0);
}

uint64_t fasterFrom(const WholeLoop &now, const WholeLoop &before) {
  uint64_t from = kLongest;
  for (uint64_t n = kLongest; n > 0 && now.cycles(n) < before.cycles(n); --n)
    from = n;
  return from <= 1 ? 0 : from;
}

} // namespace lsp

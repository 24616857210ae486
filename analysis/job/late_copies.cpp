// Compares the rates with and without the chain, and names the first of its copies.
#include "analysis/job/late_copies.h"

#include "analysis/text/instruction_text.h"

#include <cmath>

namespace analysis {

std::optional<wire::Caveat> lateCopyCaveat(const mca::Report &report, const mca::DataflowLimit &limit,
                                           const mca::Rate &without) {
  constexpr double kSameNumbers = 0.05; // of the cycles
  const double cycles = report.summary.cyclesPerIteration(), kept = without.cyclesPerIteration();
  if (limit.lateCopies.empty() || std::abs(cycles - kept) < kSameNumbers * cycles)
    return std::nullopt;
  const mca::LateCopy &first = limit.lateCopies.front();
  return wire::Caveat{.kind = wire::Caveat::Kind::LateCopy,
                      .count = static_cast<uint32_t>(limit.lateCopies.size() - 1),
                      .cycles = kept,
                      .names = {flatText(report.instructions[first.move].text), first.source, first.name}};
}

} // namespace analysis

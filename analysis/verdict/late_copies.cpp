#include "analysis/verdict/late_copies.h"

#include "analysis/common/instruction_text.h"

#include <cmath>

namespace analysis {
namespace {

constexpr double kSameNumbers = 0.05; ///< of the cycles

} // namespace

std::optional<wire::Caveat> lateCopyCaveat(const mca::Report &report, const mca::DataflowLimit &limit,
                                           const mca::Rate &without) {
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

#include "analysis/verdict/late_copies.h"

#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include <cmath>

namespace analysis {
namespace {

constexpr double kSameNumbers = 0.05; ///< of the cycles

} // namespace

std::string lateCopyCaveat(const mca::Report &report, const mca::DataflowLimit &limit, const mca::Rate &without) {
  const double cycles = report.summary.cyclesPerIteration(), kept = without.cyclesPerIteration();
  if (limit.lateCopies.empty() || std::abs(cycles - kept) < kSameNumbers * cycles)
    return {};
  const mca::LateCopy &first = limit.lateCopies.front();
  const std::string copy = registerInWords(first.name);
  const size_t more = limit.lateCopies.size() - 1;
  return "the chain goes through the copy `" + flatText(report.instructions[first.move].text) + "`" +
         (more ? " and " + std::to_string(more) + " more like it" : "") + ": the model lets " + copy +
         " wait for later writes of " + registerInWords(first.source) + ", which a CPU does not; " + decimals(kept, 1) +
         " cycles per iteration if " + copy + " keeps its value";
}

} // namespace analysis

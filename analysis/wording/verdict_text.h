// A verdict in words: one word for a hint, a sentence, and what each instruction has to do with it.
#pragma once

#include "analysis/wire/messages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// In a word: "p5", "dispatch", "dep", "mem"; empty for no verdict.
std::string limitOf(const wire::Verdict &verdict);

/// "limited by p5: 4 vpshufd keep it busy in 4.0 of 4.1 cycles per iteration". It starts in lower case and has no full
/// stop; empty for no verdict. A resource's sentence names the instructions by a mnemonic that makes up at least half
/// of the use; if none does, it counts them. `sourceIterations` is that of RegionSummary.
std::string sentenceOf(const wire::Verdict &verdict, uint32_t sourceIterations);

/// The sentence about a region. What limits a loop that calls something else, the part that is simulated does not show.
std::string bottleneckOf(const wire::Verdict &verdict, uint32_t sourceIterations,
                         const std::vector<std::string> &calls);
inline std::string bottleneckOf(const wire::RegionSummary &region) {
  return bottleneckOf(region.verdict, region.sourceIterations, region.calls);
}

/// What `witness` has to do with the verdict: "p5 for 1.00 cycles", "xmm0 after 4 cycles, for the next iteration".
std::string roleOf(const wire::Verdict::Witness &witness, const wire::Verdict &verdict, uint32_t sourceIterations);

} // namespace analysis

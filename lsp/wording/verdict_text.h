// A verdict in words: one word for a hint, a sentence, and what each instruction has to do with it.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/analysis.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lsp::wording {

/// In a word: "p5", "dispatch", "dep", "mem"; empty for no verdict.
std::string limitOf(const analysis::wire::Verdict &verdict);

/// "limited by p5: 4 vpshufd keep it busy in 4.0 of 4.1 cycles per iteration". It starts in lower case and has no full
/// stop; empty for no verdict. A resource's sentence names the instructions by a mnemonic that makes up at least half
/// of the use; if none does, it counts them. `sourceIterations` is that of wire::Region.
std::string sentenceOf(const analysis::wire::Verdict &verdict, uint32_t sourceIterations);

/// The sentence about a region. What limits a loop that calls something else, the part that is simulated does not show.
std::string bottleneckOf(const analysis::wire::Verdict &verdict, uint32_t sourceIterations,
                         const std::vector<std::string> &calls);
std::string bottleneckOf(const AnalysedRegion &region);

/// The stable code of a verdict's finding: "resource-bottleneck".
const char *codeOf(analysis::wire::Verdict::Kind kind);

/// What `witness` has to do with the verdict: "p5 for 1.00 cycles", "xmm0 after 4 cycles, for the next iteration".
std::string roleOf(const analysis::wire::Verdict::Witness &witness, const analysis::wire::Verdict &verdict,
                   uint32_t sourceIterations);

} // namespace lsp::wording

// A verdict in words: one word for a hint, a sentence, and the part of each instruction in it.
//
// The rules by which a region gets a verdict are in analysis/verdict/verdict.h.
#pragma once

#include "lsp/wording/words.h"
#include "lsp/workspace/analysis.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lsp::wording {

/// The limit in a word: "p5", "dispatch", "dep", "mem"; empty without a verdict, and for a largest limit, which takes
/// not nearly all cycles.
std::string limitOf(const wire::Verdict &verdict);

/// "limited by p5: 4 vpshufd keep it busy in 4.0 of 4.1 cycles per iteration"; in lower case, without a full stop,
/// empty without a verdict. The users of a resource are named if at least half of its use has one mnemonic, otherwise
/// counted. `sourceIterations` is that of wire::Region. A largest limit has its share: "no single limit, largest: p5
/// 62 %: 4 vpshufd keep SKLPort5 busy in 2.5 of 4.0 cycles per iteration".
std::string sentenceOf(const wire::Verdict &verdict, uint32_t sourceIterations);

/// The same of a region. If functions or instructions are left out of it, the sentence is only about the rest, and it
/// has no largest limit: what is left out may take more.
std::string bottleneckOf(const AnalysedRegion &region);

/// The stable code of a verdict's finding: "resource-bottleneck".
const char *codeOf(wire::Verdict::Kind kind);

/// What a witness contributes: "p5 for 1.00 cycles", "xmm0 after 4 cycles, for the next iteration". `witness` must be
/// an element of `verdict.witnesses`: the first and last ones have words of their own.
std::string roleOf(const wire::Verdict::Witness &witness, const wire::Verdict &verdict, uint32_t sourceIterations);

} // namespace lsp::wording

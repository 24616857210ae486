// Tokens do not overlap and stay on one line: the protocol allows neither without a capability of the client
// (overlappingTokenSupport, multilineTokenSupport). Positions are relative to the token before.
#include "lsp/features/features.h"

#include "lsp/workspace/instruction_places.h"

#include <algorithm>

namespace lsp::features {
namespace {

constexpr double kHigh = 0.5, kMedium = 0.25;

struct Load {
  const AnalysedRegion *region = nullptr;   ///< the last one that `units` is for
  std::map<std::string_view, double> units; ///< cycles of an iteration that each is busy
  double share = 0;                         ///< of the cycles of an iteration that the busiest unit is busy
  bool onChain = false;
};

using LoadByPlace = std::map<wire::ByteRange, Load, PlaceOrder>;

/// Several instructions of one place, as a line of C has them, add up; the same place in several regions does not.
void addLoads(LoadByPlace &loads, const AnalysedRegion &region) {
  const wire::Simulation &simulation = *region.simulation;
  const double cycles = simulation.cyclesPerIteration;
  for (uint32_t position = 0; position < simulation.body.size() && cycles > 0; ++position) {
    const InstructionPlace place{&region, position};
    if (place.at().begin >= place.at().end)
      continue;
    Load &load = loads[place.at()];
    if (std::exchange(load.region, &region) != &region)
      load.units.clear();
    load.onChain |=
        std::ranges::find(simulation.chain, position, &wire::ChainLink::instruction) != simulation.chain.end();
    for (const wire::ResourceUse &use : place.details().pressure)
      load.share = std::max(load.share, (load.units[use.name] += use.perIteration) / cycles);
  }
}

} // namespace

protocol::SemanticTokens semanticTokens(const Document &document, const protocol::Range &requested,
                                        const protocol::ClientCapabilities &client) {
  LoadByPlace loads;
  for (const AnalysedRegion &region : document.analysis().regions)
    addLoads(loads, region);
  protocol::SemanticTokens tokens;
  const Text &text = document.text();
  protocol::Position last; ///< the start of the last token
  uint32_t end = 0;        ///< of the last token, as an offset: places that overlap it are left out
  for (const auto &[place, load] : loads) {
    const uint32_t lineEnd = text.lineEnd(text.lineOf(place.begin));
    const protocol::Range range = text.rangeOf({place.begin, std::min(place.end, lineEnd)}, client.encoding);
    const bool wanted = requested.start <= range.start && range.start < requested.end;
    if (place.begin < end || !wanted || range.start == range.end || (load.share <= 0 && !load.onChain))
      continue;
    end = place.end;
    const uint32_t lines = range.start.line - last.line;
    const uint32_t type = load.share >= kHigh ? 2 : load.share >= kMedium ? 1 : 0; // in protocol::kTokenTypes
    // LSP 3.17, SemanticTokens: lines since the last token, columns since its start if it is on the same line, length,
    // type, and a bit for each modifier.
    tokens.data.insert(tokens.data.end(), {lines, range.start.character - (lines ? 0 : last.character),
                                           range.end.character - range.start.character, type, load.onChain});
    last = range.start;
  }
  return tokens;
}

} // namespace lsp::features

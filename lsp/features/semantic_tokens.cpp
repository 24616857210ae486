// Tokens do not overlap and stay on one line, as clients without further capabilities want them.
#include "lsp/features/semantic_tokens.h"

#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <map>
#include <string>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::ResourceUse;
using analysis::wire::Simulation;

constexpr double kHigh = 0.5;
constexpr double kMedium = 0.25;

struct Load {
  double share = 0; ///< of the cycles of an iteration that its busiest unit is busy
  bool onChain = false;
};

using LoadByPlace = std::map<std::pair<uint32_t, uint32_t>, Load>;

/// The loads of one region's places; instructions of one place add up.
LoadByPlace loadsOf(const AnalysedRegion &region) {
  const Simulation &simulation = *region.simulation;
  std::map<std::pair<uint32_t, uint32_t>, std::map<std::string, double>> units;
  LoadByPlace loads;
  const double cycles = simulation.cyclesPerIteration;
  for (uint32_t position = 0; position < simulation.body.size() && cycles > 0; ++position) {
    const ByteRange at = region.region.places[position];
    if (at.begin >= at.end)
      continue;
    const std::pair place{at.begin, at.end};
    Load &load = loads[place];
    load.onChain |= std::any_of(simulation.chain.begin(), simulation.chain.end(),
                                [&](const auto &link) { return link.instruction == position; });
    for (const ResourceUse &use : simulation.body[position].pressure)
      load.share = std::max(load.share, (units[place][use.name] += use.perIteration) / cycles);
  }
  return loads;
}

uint32_t typeOf(const Load &load) {
  return load.share >= kHigh ? 2 : load.share >= kMedium ? 1 : 0;
}

} // namespace

protocol::SemanticTokens semanticTokens(const Document &document, const protocol::Range &requested,
                                        const protocol::ClientCapabilities &client) {
  LoadByPlace all;
  for (const AnalysedRegion &region : document.analysis().regions)
    for (const auto &[place, load] : loadsOf(region)) {
      Load &known = all[place];
      known.share = std::max(known.share, load.share);
      known.onChain |= load.onChain;
    }
  protocol::SemanticTokens tokens;
  const Text &text = document.text();
  protocol::Position last;
  uint32_t end = 0;
  for (const auto &[place, load] : all) {
    const uint32_t lineEnd = text.lineEnd(text.lineOf(place.first));
    const protocol::Range range = text.rangeOf({place.first, std::min(place.second, lineEnd)}, client.encoding);
    const bool wanted = requested.start <= range.start && range.start < requested.end;
    if (place.first < end || !wanted || range.start == range.end || (load.share <= 0 && !load.onChain))
      continue;
    end = place.second;
    const uint32_t lines = range.start.line - last.line;
    tokens.data.insert(tokens.data.end(), {lines, range.start.character - (lines ? 0 : last.character),
                                           range.end.character - range.start.character, typeOf(load), load.onChain});
    last = range.start;
  }
  return tokens;
}

} // namespace lsp::features

// The neighbours of an instruction in its region's dependencies.
#include "lsp/features/document_highlight.h"

#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <map>

namespace lsp::features {

using analysis::wire::ByteRange;
using protocol::HighlightKind;

std::vector<protocol::DocumentHighlight> documentHighlights(const Document &document,
                                                            const protocol::Position &position,
                                                            const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const auto place = instructionAt(document, text.offsetOf(position, client.encoding));
  if (!place)
    return {};
  const auto &body = place->region->simulation->body;
  std::map<std::pair<uint32_t, uint32_t>, HighlightKind> kinds;
  const auto add = [&](uint32_t at, HighlightKind kind) {
    if (const ByteRange range = place->region->region.places[at]; range.begin < range.end)
      kinds.try_emplace({range.begin, range.end}, kind);
  };
  add(place->position, HighlightKind::Text);
  for (const uint32_t producer : place->details().needs)
    add(producer, HighlightKind::Write);
  for (uint32_t i = 0; i < body.size(); ++i)
    if (std::find(body[i].needs.begin(), body[i].needs.end(), place->position) != body[i].needs.end())
      add(i, HighlightKind::Read);
  const auto &chain = place->region->simulation->chain;
  if (std::any_of(chain.begin(), chain.end(), [&](const auto &link) { return link.instruction == place->position; }))
    for (const analysis::wire::ChainLink &link : chain)
      add(link.instruction, HighlightKind::Text);
  std::vector<protocol::DocumentHighlight> highlights;
  for (const auto &[range, kind] : kinds)
    highlights.push_back({text.rangeOf({range.first, range.second}, client.encoding), kind});
  return highlights;
}

} // namespace lsp::features

// The simulation's body holds dependencies in one direction, from a reader to the writers. The readers of a result are
// found by a search through the region.
#include "lsp/features/features.h"

#include "lsp/workspace/instruction_places.h"

#include <algorithm>

namespace lsp::features {

using protocol::HighlightKind;

std::vector<protocol::DocumentHighlight> documentHighlights(const Document &document,
                                                            const protocol::Position &position,
                                                            const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const auto place = instructionAt(document, text.offsetOf(position, client.encoding));
  if (!place)
    return {};
  const auto &body = place->region->simulation->body;
  const auto &chain = place->region->simulation->chain;
  std::map<wire::ByteRange, HighlightKind, PlaceOrder> kinds;
  const auto add = [&](uint32_t instruction, HighlightKind kind) {
    if (const wire::ByteRange at = InstructionPlace{place->region, instruction}.at(); at.begin < at.end)
      kinds.try_emplace(at, kind); // of several kinds, the first that is added
  };
  add(place->position, HighlightKind::Text); // also if it reads its own result of the iteration before
  for (const uint32_t producer : place->details().needs)
    add(producer, HighlightKind::Write);
  for (uint32_t i = 0; i < body.size(); ++i)
    if (std::ranges::find(body[i].needs, place->position) != body[i].needs.end())
      add(i, HighlightKind::Read);
  if (std::ranges::find(chain, place->position, &wire::ChainLink::instruction) != chain.end())
    for (const wire::ChainLink &link : chain)
      add(link.instruction, HighlightKind::Text);
  std::vector<protocol::DocumentHighlight> highlights;
  for (const auto &[at, kind] : kinds)
    highlights.push_back({text.rangeOf(at, client.encoding), kind});
  return highlights;
}

} // namespace lsp::features

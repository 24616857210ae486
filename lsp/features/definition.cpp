// A definition names its origin, too, which the editor underlines (LSP 3.17, LocationLink): the whole instruction or
// line. Without it, clients underline the word at the cursor, which means nothing in assembly.
#include "lsp/features/features.h"

#include "lsp/workspace/instruction_places.h"

#include <algorithm>
#include <set>

namespace lsp::features {

protocol::Definition producers(const Document &document, const protocol::Position &position,
                               const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  const Text &text = document.text();
  const auto place = instructionAt(document, text.offsetOf(position, client.encoding));
  if (!place)
    return definition;
  std::set<wire::ByteRange, PlaceOrder> targets;
  for (const uint32_t producer : place->details().needs)
    if (const wire::ByteRange at = InstructionPlace{place->region, producer}.at(); at.begin < at.end)
      targets.insert(at);
  const protocol::Range origin = text.rangeOf(place->at(), client.encoding);
  for (const wire::ByteRange target : targets)
    definition.links.push_back({origin, document.uri(), text.rangeOf(target, client.encoding)});
  return definition;
}

protocol::Definition linesInListing(const Document &document, const protocol::Position &position,
                                    const std::vector<LineLink> &links, const std::string &listingUri,
                                    const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  const Text &text = document.text();
  const uint32_t line = text.lineOf(text.offsetOf(position, client.encoding));
  const protocol::Range origin = text.rangeOf(text.rangeOfLine(line), client.encoding);
  std::set<uint32_t> lines;
  for (const LineLink &link : links)
    if (link.bufferLine == line)
      lines.insert(link.line);
  // Consecutive lines become one target, half-open: a client lists targets, and a list of single lines says less.
  for (const uint32_t target : lines)
    if (!definition.links.empty() && definition.links.back().targetRange.end.line == target)
      definition.links.back().targetRange.end.line = target + 1;
    else
      definition.links.push_back({origin, listingUri, {{target, 0}, {target + 1, 0}}});
  return definition;
}

protocol::Definition lineInBuffer(uint32_t line, const std::vector<LineLink> &links, const std::string &bufferUri,
                                  const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  // The target is empty, which puts the cursor at the beginning of the line and selects nothing.
  const auto link = std::ranges::find(links, line, &LineLink::line);
  if (link != links.end())
    definition.links.push_back({{{line, 0}, {line + 1, 0}}, bufferUri, {{link->bufferLine, 0}, {link->bufferLine, 0}}});
  return definition;
}

} // namespace lsp::features

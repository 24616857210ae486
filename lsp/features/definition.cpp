// Targets of definition.h. The origin is the instruction, or the whole line.
#include "lsp/features/definition.h"

#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <set>

namespace lsp::features {

using analysis::wire::ByteRange;

protocol::Definition producers(const Document &document, const protocol::Position &position,
                               const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  const Text &text = document.text();
  const auto place = instructionAt(document, text.offsetOf(position, client.encoding));
  if (!place)
    return definition;
  std::set<std::pair<uint32_t, uint32_t>> targets;
  for (const uint32_t producer : place->details().needs)
    if (const ByteRange at = place->region->region.places[producer]; at.begin < at.end)
      targets.insert({at.begin, at.end});
  for (const auto &[begin, end] : targets)
    definition.links.push_back(
        {text.rangeOf(place->at(), client.encoding), document.uri(), text.rangeOf({begin, end}, client.encoding)});
  return definition;
}

protocol::Definition linesInListing(const Document &document, const protocol::Position &position,
                                    const std::vector<LineLink> &links, const std::string &listingUri,
                                    const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  const Text &text = document.text();
  const uint32_t line = text.lineOf(text.offsetOf(position, client.encoding));
  const protocol::Range origin = text.rangeOf({text.lineBegin(line), text.lineEnd(line)}, client.encoding);
  std::set<uint32_t> lines;
  for (const LineLink &link : links)
    if (link.bufferLine == line)
      lines.insert(link.line);
  for (const uint32_t target : lines) {
    if (!definition.links.empty() && definition.links.back().targetRange.end.line == target)
      definition.links.back().targetRange.end.line = target + 1;
    else
      definition.links.push_back({origin, listingUri, {{target, 0}, {target + 1, 0}}});
  }
  return definition;
}

protocol::Definition lineInBuffer(uint32_t line, const std::vector<LineLink> &links, const std::string &bufferUri,
                                  const protocol::ClientCapabilities &client) {
  protocol::Definition definition{{}, client.definitionLinks};
  const auto link = std::find_if(links.begin(), links.end(), [&](const auto &one) { return one.line == line; });
  if (link != links.end())
    definition.links.push_back({{{line, 0}, {line + 1, 0}}, bufferUri, {{link->bufferLine, 0}, {link->bufferLine, 0}}});
  return definition;
}

} // namespace lsp::features

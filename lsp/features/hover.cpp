// Choosing between what can be said about one place.
#include "lsp/features/hover.h"

#include "lsp/features/instruction_text.h"
#include "lsp/features/line_text.h"
#include "lsp/features/rich_text.h"

#include <algorithm>
#include <vector>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::RichText;

const analysis::wire::Hover *innermost(const std::vector<analysis::wire::Hover> &hovers, uint32_t offset,
                                       uint32_t slack) {
  const analysis::wire::Hover *best = nullptr;
  for (const analysis::wire::Hover &hover : hovers) {
    const bool inside = hover.at.begin <= offset && offset < hover.at.end + slack;
    if (inside && (!best || hover.at.end - hover.at.begin < best->at.end - best->at.begin))
      best = &hover;
  }
  return best;
}

/// True on a line that stands for a region as a whole.
bool isRegionsLine(const Document &document, uint32_t line, const analysis::wire::Hover *region) {
  const Text &text = document.text();
  const auto &hints = document.analysis().hints;
  return (region && text.lineOf(region->at.begin) == line) ||
         std::any_of(hints.begin(), hints.end(),
                     [&](const analysis::wire::Hint &hint) { return text.lineOf(hint.offset) == line; });
}

struct Contents {
  ByteRange at;
  RichText text;
};

/// What there is to say about the line's own instructions, if anything.
std::optional<Contents> ownContents(const Document &document, uint32_t offset) {
  if (const auto place = instructionAt(document, offset))
    return Contents{place->details().at, instructionText(*place, document.text())};
  const LineInstructions line = instructionsOn(document, document.text().lineOf(offset));
  if (!line.region)
    return std::nullopt;
  return Contents{line.at(0).at, lineText(line)};
}

} // namespace

std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const uint32_t offset = text.offsetOf(position, client.encoding);
  const auto &hovers = document.analysis().hovers;
  const analysis::wire::Hover *region = innermost(hovers, offset, 0);
  if (!region)
    region = innermost(hovers, offset, 1);
  const auto shown = [&](const RichText &contents, ByteRange at) {
    return protocol::Hover{render(contents, client.markdownHover), text.rangeOf(at, client.encoding)};
  };
  if (!region || !isRegionsLine(document, text.lineOf(offset), region))
    if (const auto own = ownContents(document, offset))
      return shown(own->text, own->at);
  return region ? std::optional(shown(region->contents, region->at)) : std::nullopt;
}

} // namespace lsp::features

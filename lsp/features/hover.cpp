// Choosing between what can be said about one place.
#include "lsp/features/hover.h"

#include "lsp/features/instruction_text.h"
#include "lsp/features/line_text.h"
#include "lsp/wording/hover.h"

#include <algorithm>
#include <vector>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
using wording::LoopsOfLine;
using wording::RichText;

/// The loops of a line that has a hover, and the range that it is for: all of their lines.
struct Hovered {
  LoopsOfLine loops;
  ByteRange at;
};

std::vector<Hovered> hoveredLines(const Document &document) {
  std::vector<Hovered> all;
  const Text &text = document.text();
  for (auto &[line, loops] : wording::loopsByLine(document.analysis(), text, 0, text.lineCount() - 1)) {
    ByteRange at = loops.front().front()->region.at;
    bool edited = false;
    for (const wording::ShownLoop &loop : loops) {
      const AnalysedRegion &first = *loop.front();
      at = {std::min(at.begin, first.region.at.begin), std::max(at.end, first.region.at.end)};
      edited |= first.edited;
    }
    if (!edited)
      all.push_back({std::move(loops), at});
  }
  return all;
}

const Hovered *innermost(const std::vector<Hovered> &hovers, uint32_t offset, uint32_t slack) {
  const Hovered *best = nullptr;
  for (const Hovered &hover : hovers) {
    const bool inside = hover.at.begin <= offset && offset < hover.at.end + slack;
    if (inside && (!best || hover.at.end - hover.at.begin < best->at.end - best->at.begin))
      best = &hover;
  }
  return best;
}

/// True on a line that stands for a region as a whole.
bool isRegionsLine(const Document &document, uint32_t line, const Hovered *region) {
  if (region && document.text().lineOf(region->at.begin) == line)
    return true;
  const auto lines = wording::loopsByLine(document.analysis(), document.text(), line, line);
  return !lines.empty() && wording::isHinted(lines.begin()->second);
}

struct Contents {
  ByteRange at;
  RichText text;
};

/// What there is to say about the line's own instructions, if anything.
std::optional<Contents> ownContents(const Document &document, uint32_t offset) {
  if (const auto place = instructionAt(document, offset))
    return Contents{place->at(), instructionText(*place, document.text())};
  const LineInstructions line = instructionsOn(document, document.text().lineOf(offset));
  if (!line.region)
    return std::nullopt;
  return Contents{line.region->region.places[line.positions.front()], lineText(line)};
}

} // namespace

std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const uint32_t offset = text.offsetOf(position, client.encoding);
  const std::vector<Hovered> hovers = hoveredLines(document);
  const Hovered *region = innermost(hovers, offset, 0);
  if (!region)
    region = innermost(hovers, offset, 1);
  const auto shown = [&](const RichText &contents, ByteRange at) {
    return protocol::Hover{wording::render(contents, client.markdownHover), text.rangeOf(at, client.encoding)};
  };
  if (!region || !isRegionsLine(document, text.lineOf(offset), region))
    if (const auto own = ownContents(document, offset))
      return shown(own->text, own->at);
  if (!region)
    return std::nullopt;
  return shown(wording::makeHover(region->loops, document.analysis().target, text), region->at);
}

} // namespace lsp::features

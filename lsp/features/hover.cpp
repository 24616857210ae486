// A place can have numbers of its own and be part of a region. The more specific ones are shown, except on the lines
// that represent the region: a reader who wants to know more about a hint points at its line.
#include "lsp/features/features.h"

#include "lsp/wording/advice_text.h"
#include "lsp/wording/hover.h"
#include "lsp/wording/instruction_text.h"
#include "lsp/wording/why_not_text.h"

#include <algorithm>

namespace lsp::features {
namespace {

using wire::ByteRange;

/// The loops of a line that has a hover, and the range of all of their lines, which it is for.
struct HoveredLoops {
  wording::LoopsOfLine loops;
  ByteRange at;
};

/// Without loops whose lines were edited: their numbers are those of another code.
std::vector<HoveredLoops> hoveredLoops(const Document &document) {
  std::vector<HoveredLoops> all;
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

/// The smallest one around the offset. One that ends there is chosen if there is no other.
const HoveredLoops *innermost(const std::vector<HoveredLoops> &hovers, uint32_t offset) {
  const HoveredLoops *best = nullptr;
  const auto rank = [&](const HoveredLoops &one) { return std::pair(offset == one.at.end, one.at.end - one.at.begin); };
  for (const HoveredLoops &hover : hovers)
    if (hover.at.begin <= offset && offset <= hover.at.end && (!best || rank(hover) < rank(*best)))
      best = &hover;
  return best;
}

/// Whether the line represents the region as a whole.
bool isLineOf(const HoveredLoops &region, uint32_t line, const Document &document) {
  if (document.text().lineOf(region.at.begin) == line)
    return true;
  const auto lines = wording::loopsByLine(document.analysis(), document.text(), line, line);
  return !lines.empty() && wording::isHinted(lines.begin()->second);
}

struct Contents {
  wording::RichText text;
  ByteRange at;
};

/// The hover of an instruction or a source line; empty for a line without instructions.
std::optional<Contents> ownContents(const Document &document, uint32_t offset) {
  if (const auto place = instructionAt(document, offset))
    return Contents{wording::instructionText(*place, document.text()), place->at()};
  const LineInstructions line = instructionsOn(document, document.text().lineOf(offset));
  return line.empty() ? std::nullopt
                      : std::optional(Contents{wording::lineText(line, document.text()), line.front().at()});
}

/// The loop statement on the line that left no loop in the machine code; null if there is none.
const analysis::wire::VanishedLoop *vanishedLoopOn(uint32_t line, const Document &document) {
  const Text &text = document.text();
  const auto &vanished = document.analysis().vanishedLoops;
  const auto found = std::ranges::find(vanished, line, [&](const auto &one) { return text.lineOf(one.at.begin); });
  return found == vanished.end() ? nullptr : &*found;
}

} // namespace

std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client, uint64_t now) {
  const Text &text = document.text();
  const uint32_t offset = text.offsetOf(position, client.encoding);
  const std::vector<HoveredLoops> hovers = hoveredLoops(document);
  const HoveredLoops *region = innermost(hovers, offset);
  std::optional<Contents> contents;
  // The hint's line comes first: it may also hold an instruction, whose numbers would hide those of the hint.
  if (!region || !isLineOf(*region, text.lineOf(offset), document))
    contents = ownContents(document, offset);
  const auto *vanished = vanishedLoopOn(text.lineOf(offset), document);
  if (!contents && region && !(vanished && text.lineOf(region->at.begin) != text.lineOf(offset)))
    contents = Contents{wording::makeHover(region->loops, document.analysis().target, text, now), region->at};
  if (contents && region)
    if (const AdviceReport *report = document.analysis().adviceAt(region->loops.front().front()->region.anchor))
      wording::addAdvice(contents->text, *report);
  if (!contents && vanished)
    contents = Contents{{}, vanished->at};
  if (!contents)
    return std::nullopt;
  if (vanished)
    wording::add(contents->text, wording::Block::Kind::Paragraph, wording::vanishedInWords(*vanished));
  return protocol::Hover{wording::render(contents->text, client.markdownHover),
                         text.rangeOf(contents->at, client.encoding)};
}

} // namespace lsp::features

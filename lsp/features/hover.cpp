// Finding the innermost range.
#include "lsp/features/hover.h"

#include "lsp/features/rich_text.h"

namespace lsp::features {
namespace {

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

} // namespace

std::optional<protocol::Hover> hover(const std::vector<analysis::wire::Hover> &hovers, const Text &text,
                                     const protocol::Position &position, const protocol::ClientCapabilities &client) {
  const uint32_t offset = text.offsetOf(position, client.encoding);
  const analysis::wire::Hover *found = innermost(hovers, offset, 0);
  if (!found)
    found = innermost(hovers, offset, 1);
  if (!found)
    return std::nullopt;
  return protocol::Hover{render(found->contents, client.markdownHover), text.rangeOf(found->at, client.encoding)};
}

} // namespace lsp::features

#include "lsp/workspace/advice.h"

#include <algorithm>

namespace lsp {

wire::AdviceLabel TriedChange::label() const {
  wire::AdviceLabel label = wire::AdviceLabel::SameResults;
  for (const wire::Candidate &part : parts)
    label = std::max(label, part.label);
  if (!same || !same->refused.empty())
    return label;
  if (same->differsOverlapping)
    label = std::max(label, wire::AdviceLabel::Promise);
  return same->differs ? wire::AdviceLabel::ChangesResults : label;
}

} // namespace lsp

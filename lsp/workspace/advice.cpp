#include "lsp/workspace/advice.h"

#include <algorithm>

namespace lsp {

wire::AdviceLabel TriedChange::label() const {
  wire::AdviceLabel label = wire::AdviceLabel::SameResults;
  for (const wire::Candidate &part : parts)
    label = std::max(label, part.label);
  return label;
}

} // namespace lsp

// The document model of hovers and tooltips, and its two forms in LSP 3.17: markdown for clients that declare it
// (MarkupKind), plain text for the others.
#pragma once

#include "lsp/protocol/types.h"

#include <string>
#include <vector>

namespace lsp::wording {

struct Block {
  enum class Kind : uint8_t { Heading, Paragraph, Item, Preformatted };
  Kind kind = Kind::Paragraph;
  std::string text;
};
using RichText = std::vector<Block>;

inline void add(RichText &text, Block::Kind kind, std::string content) {
  text.push_back({kind, std::move(content)});
}

/// Markdown that shows each block's text as it is: whatever would be markup in it is escaped.
std::string renderMarkdown(const RichText &text);

std::string renderPlainText(const RichText &text);

protocol::MarkupContent render(const RichText &text, bool markdown);

} // namespace lsp::wording

// The document model of hovers and tooltips, in the two forms that editors take.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"

#include <string>

namespace lsp::features {

/// Markdown in which the text of every block means itself: what would be markup in it is escaped.
std::string renderMarkdown(const analysis::wire::RichText &text);

std::string renderPlainText(const analysis::wire::RichText &text);

protocol::MarkupContent render(const analysis::wire::RichText &text, bool markdown);

} // namespace lsp::features

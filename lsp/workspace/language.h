// Which documents are ours, and in which language they are.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string_view>

namespace lsp {

/// The language of a document that the editor calls `languageId`. Editors have many names for GNU assembly; an unknown
/// or generic one leaves the decision to the path's suffix. The syntaxes of other assemblers are not ours.
std::optional<analysis::wire::Language> languageOf(std::string_view languageId, std::string_view path);

/// The language that the path's suffix stands for.
std::optional<analysis::wire::Language> languageOfPath(std::string_view path);

/// Whether the path is that of assembly which is written for the preprocessor.
bool isPreprocessed(std::string_view path);

} // namespace lsp

// Which documents are analysed, and in which language they are written.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string_view>

namespace lsp {

/// The language of a document that the editor calls `languageId`. Editors have many names for GNU assembly; with an
/// unknown or generic one, such as "plaintext", the path's suffix decides. The syntaxes of other assemblers and of
/// other compilers' languages are not supported.
std::optional<analysis::wire::Language> languageOf(std::string_view languageId, std::string_view path);

/// The language that the path's suffix stands for, as in GCC's manual ("Options Controlling the Kind of Output"), with
/// `.asm` besides. Case matters: `.C` is C++.
std::optional<analysis::wire::Language> languageOfPath(std::string_view path);

/// Whether the path is that of assembly which GCC runs through the preprocessor.
bool isPreprocessed(std::string_view path);

} // namespace lsp

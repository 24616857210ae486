// The JSON of `mca-lsp --check --format=json` and of `mca.exportJson` (docs/check.md): what scripts, baselines and
// shards are read from.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/json_text.h"
#include "lsp/workspace/document.h"

#include <string>
#include <string_view>

namespace lsp {

/// Raised by one if a member changes its meaning or is removed. A new member leaves it as it is. 3: `mca.exportJson`
/// has the members of 2, and not those of its own.
inline constexpr uint32_t kCheckSchemaVersion = 3;
/// Older files are refused.
inline constexpr uint32_t kOldestCheckSchema = 2;

/// Writes the text in pieces. It ends with a line break. The same document gives the same bytes.
void checkJson(const CheckDocument &document, const JsonWriter &write);

/// The last analysis of an editor's document, as a run over this file alone has it, without blanks. Its strings are
/// made visible (analysis/text/visible_text.h).
std::string analysisText(const Document &document);

/// A document, or why `text` is none, in words that follow "FILE: ".
struct ReadCheckDocument {
  std::optional<CheckDocument> document;
  std::string error;
};

/// A member of another type, or one that is missing, is an error that names it: a shard that is damaged must not look
/// like files without findings.
ReadCheckDocument readCheckJson(std::string_view text);

} // namespace lsp

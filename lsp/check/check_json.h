// The JSON of `mca-lsp --check --format=json` (docs/check.md), written and read back.
#pragma once

#include "lsp/check/check_document.h"

#include <string>
#include <string_view>

namespace lsp::protocol {

/// Raised by one when a member changes its meaning or goes away; members may be added without.
inline constexpr int kCheckSchemaVersion = 2;

/// Ends with a line break. The same document gives the same bytes.
std::string checkJson(const CheckDocument &document);

/// A document, or why `text` is none. Members of another type than theirs are as if they were not there.
struct ReadCheckDocument {
  std::optional<CheckDocument> document;
  std::string error;
};
ReadCheckDocument readCheckJson(std::string_view text);

} // namespace lsp::protocol

// Changes of a text, as the worker lists them and an editor applies them.
#pragma once

#include "analysis/wire/advice.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// All of them, in the order of the text: what is put at one place comes before what is replaced there, and pragmas
/// come last, as they have to stand just before their loop. No value if two replace the same bytes.
std::optional<std::vector<analysis::wire::Edit>> mergedEdits(const std::vector<analysis::wire::Candidate> &changes);

/// The text with the edits, which are in order and inside of it.
std::string withEdits(const std::string &text, const std::vector<analysis::wire::Edit> &edits);

} // namespace lsp

// Suggestions for mistyped words: the known word that is nearest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// The known word with the fewest letters added, left out or changed, whatever the case; the first of several. Empty
/// unless that is at most one letter, or a third of those of `word`.
std::string nearMiss(std::string_view word, const std::vector<std::string> &known);

/// "; did you mean 'cpus'?", or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string> &known);

} // namespace lsp::protocol

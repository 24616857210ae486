// Which known word somebody meant who wrote an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// The known word that is closest to `word`, when it is close enough to be meant: at most one letter in three added,
/// left out or changed, whatever the case. Empty when none is.
std::string nearMiss(std::string_view word, const std::vector<std::string> &known);

/// "; did you mean 'cpus'?", or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string> &known);

} // namespace lsp::protocol

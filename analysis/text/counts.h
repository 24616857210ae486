// Numbers, counts and lists in sentences, as findings, hovers and reports say them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// "1 loop", "2 loops": of a noun whose plural has an s.
std::string counted(size_t count, std::string_view noun);

/// The end of a list that names the first `named` of `all`: " and 3 more", or nothing if it names them all.
std::string andMore(size_t all, size_t named);

/// "a, b and 2 more", with at most `most` names; "a and b" if these are all.
std::string listOf(const std::vector<std::string> &names, size_t most);

/// A number as llvm-mca rounds it, half up, with `digits` decimals: printf rounds half to even.
std::string decimals(double value, int digits);

/// The text if it has at most `bytes` bytes; else its beginning, cut between two UTF-8 characters, and an ellipsis.
std::string shortened(std::string text, size_t bytes);

} // namespace analysis

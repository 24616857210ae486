// Counts in sentences, as findings, hovers and reports say them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace analysis {

/// "1 loop", "2 loops": of a noun whose plural has an s.
std::string counted(size_t count, std::string_view noun);

/// What follows a list that names the first `named` of `all`: " and 3 more", or nothing if it names them all.
std::string andMore(size_t all, size_t named);

} // namespace analysis

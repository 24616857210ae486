// Whether a file lies in a folder, for decisions about trust: what a user allows for a folder holds for what is really
// in it, and a link in it may lead anywhere.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// Whether the file lies in the folder or below it, with links resolved. False unless both are absolute. Neither need
/// exist.
bool liesIn(const std::string &file, const std::string &folder);
bool liesInAnyOf(const std::string &file, const std::vector<std::string> &folders);

} // namespace analysis

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

/// The folder of the repository around a file, by its name; empty if there is none, or if it is the home folder or one
/// that holds it. `file` is absolute.
std::string repositoryAround(const std::string &file);

/// Whether a file belongs to a document's project, with links resolved: it lies in one of the folders (those that the
/// user opened), in the document's own folder, or in the repository around that. What a folder names, a trace or a
/// configuration, is read only then, as what is read is quoted. `document`: absolute.
bool liesInProject(const std::string &file, const std::string &document, const std::vector<std::string> &folders);

} // namespace analysis

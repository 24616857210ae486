// Which sources may include a file, by what the texts of files say. The preprocessor decides (includes.h); running it
// on each source of a project would take minutes.
//
// A file is included directly, or by another one that is no source of its own (a header, another part). So the names in
// the directives of all files that are looked at make a graph, which is searched from the file upward.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// Those of `sources`, absolute paths, whose directives name the file, or a file that includes it in turn: the ones
/// with the fewest steps first, and then those that are closest to it in the tree of folders. Also reads the other
/// files in the file's folder. Of large projects only the closest sources are read.
std::vector<std::string> likelyIncluders(const std::string &file, std::vector<std::string> sources);

} // namespace analysis

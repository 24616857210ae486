// The launchers of a compile database's entries, which LLVM's tooling library removes from the commands that it returns
// (ccache, sccache, distcc and others).
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// The launcher in the first entry of `file` (absolute), as takeCompiler() returns it. Empty if there is no entry, if
/// the entry has no launcher, and if the database cannot be read.
std::vector<std::string> launcherInDatabase(const std::string &database, const std::string &file);

} // namespace analysis

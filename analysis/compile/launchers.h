// The launchers of a compile database's entries: LLVM's tooling library takes ccache, sccache and distcc off the
// commands that it hands out.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// What stands before the compiler in the first entry of `file` (absolute), as takeCompiler() has it: empty without an
/// entry, without a launcher, and when the database is no JSON.
std::vector<std::string> launcherInDatabase(const std::string &database, const std::string &file);

} // namespace analysis

// The variables of our environment that a compiler gets: an allow-list, as with flags.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// "NAME=value" of the variables that a compiler needs to find headers and to print plain messages. With `launcher`
/// also those that configure ccache, sccache and icecc.
std::vector<std::string> compilerEnvironment(bool launcher = false);

} // namespace analysis

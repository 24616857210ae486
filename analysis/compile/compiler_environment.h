// What a compiler sees of our environment.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// "NAME=value", of the variables that it needs to find headers and to speak plainly. With `launcher` also those that
/// ccache, sccache and icecc are set up with.
std::vector<std::string> compilerEnvironment(bool launcher = false);

} // namespace analysis

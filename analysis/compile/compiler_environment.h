// What a compiler sees of our environment.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// "NAME=value", of the variables that it needs to find headers and to speak plainly.
std::vector<std::string> compilerEnvironment();

} // namespace analysis

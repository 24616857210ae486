// Assembly that clang made of a module in a file has comments with the names of basic blocks, which it leaves out when
// it compiles a source.
#pragma once

#include <string>

namespace analysis {

/// The assembly as if it had been made of the source.
std::string withoutBlockNames(const std::string &assembly);

} // namespace analysis

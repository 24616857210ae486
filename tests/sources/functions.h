// The functions of a source file as clang's own parser sees them, to hold against where hints and hovers stand.
#pragma once

#include "tests/shown.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sources {

/// A function that is defined in the file itself, a lambda, or the definition of a global variable (whose initialiser
/// is code, too). Lines are 1-based, both included.
struct Function {
  std::string name; ///< without scopes and template arguments; of a lambda "operator()", of a variable empty
  uint32_t firstLine = 0;
  uint32_t lastLine = 0;
};

/// `flags`: of a compile command. Those that clang does not know are ignored.
std::vector<Function> functionsOf(const std::string &path, const std::vector<std::string> &flags);

/// What stands outside of its function, a line each: the hint or the lines of a loop, by the function that the loop's
/// name gives as the machine code's, or a hover over lines of several functions.
std::vector<std::string> strays(const analysis::Shown &result, const std::string &text,
                                const std::vector<Function> &functions);

} // namespace sources

// Which flags of a compile command may reach our compiler.
//
// The command belongs to a folder that someone opened, and the folder may be hostile. The arguments are parsed by the
// option table of clang's own driver, so that an argument and the value of the one before it cannot be confused, and
// only what is on the list of flags.cpp is written out again: flags that shape the code. Everything else is left out;
// where that could surprise the user, a note says so.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

struct SafeFlags {
  std::vector<std::string> flags;         ///< in their order, without input files, -x and -o
  std::optional<wire::Language> language; ///< what -x or --driver-mode asks for
  std::vector<std::string> notes;         ///< one for each reason to leave flags out, naming them
};

/// `arguments` come without the compiler's name, with response files expanded.
SafeFlags selectSafeFlags(const std::vector<std::string> &arguments);

} // namespace analysis

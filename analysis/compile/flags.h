// Which flags of a compile command may reach the compiler.
//
// The command belongs to a folder that someone opened, and the folder may be hostile. The arguments are parsed by the
// option table of clang's own driver, so that an argument and the value of the one before it cannot be confused, and
// only what is on the list of flags.cpp is written out again: flags that shape the code. Everything else is left out;
// where that could surprise the user, a note says so. For gcc the list of gcc_flags.cpp comes first, even where the
// folder is trusted: an analysis must not write what a build writes.
#pragma once

#include "analysis/compile/compile.h"
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

/// `arguments` come without the compiler's name, with response files expanded; `compiler` is the one that will run.
SafeFlags selectSafeFlags(const std::vector<std::string> &arguments, CompilerKind compiler);

/// The note about flags that clang refuses.
std::string refusedNote(const std::vector<std::string> &flags);

} // namespace analysis

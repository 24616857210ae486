// Which flags of a compile command may reach the compiler.
//
// The command belongs to a folder that someone opened, and the folder may be hostile. The arguments are parsed with the
// option table of clang's own driver, so that an argument cannot be confused with the value of the one before it. Only
// flags on the list of flags.cpp, which shape the code, are written out again; a note names the others if their absence
// could surprise the user. For gcc the list of gcc_flags.cpp comes first. It holds for trusted folders, too: an
// analysis must not write the files that a build writes.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/wire/messages.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

struct SafeFlags {
  std::vector<std::string> flags;         ///< in their order, without input files, -x and -o
  std::optional<wire::Language> language; ///< that -x or --driver-mode requests
  std::vector<std::string> notes;         ///< one for each reason to leave flags out, naming them
};

/// Whether the compiler may load a module's file, or those of a folder, of this name.
using MayLoad = llvm::function_ref<bool(llvm::StringRef name)>;

/// `arguments` come without the compiler's name, with response files expanded; `compiler` is the one that will run.
/// Without `mayLoad` it loads no module's file.
SafeFlags selectSafeFlags(const std::vector<std::string> &arguments, CompilerKind compiler, MayLoad mayLoad = nullptr);

/// The note about flags that clang refuses.
std::string refusedNote(const std::vector<std::string> &flags);

} // namespace analysis

// Which files a compiler may read: a hostile source can name any file of the machine in an #include or #embed, and the
// compiler's messages would quote it.
#pragma once

#include "analysis/common/confinement.h"
#include "analysis/compile/compile.h"

#include <string>

namespace analysis {

/// What the compiler of a complete command may do. It reads the project (the opened folders, the repository around the
/// file and the folder of the database), the system's folders, its own installation, what the command and the
/// environment's include paths name, and settings.readableFolders; it runs programs of the system and of its own
/// installation alone, and writes nothing. A path that the command names is left out if it is the home folder, one
/// above it, or of the system's own file systems (/proc, /dev). `database` is the file that has the command; it may be
/// empty.
Confinement confinementOf(const CompileCommand &command, const std::string &database, const wire::Settings &settings);

/// For a program that only reads: it may read everything, runs programs of the system and of its own installation
/// alone, and writes nothing.
Confinement confinementOfReader(const std::string &program);

} // namespace analysis

// Which files a compiler may read: a hostile source can name any file of the machine in an #include or #embed, and the
// compiler's messages would quote it.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/process/confinement.h"

#include <string>
#include <vector>

namespace analysis {

/// What the compiler of a complete command may do. It reads the project (the opened folders, the repository around the
/// file and the folder of the database), the system's folders, its own installation, what the command and the
/// environment's include paths name, and settings.readableFolders; it runs programs of the system and of its own
/// installation alone, and writes nothing. A path that the command names is left out if it is the home folder, one
/// above it, or of the system's own file systems (/proc, /dev), or if a folder below the home folder in which it is has
/// a name that begins with a full stop: keys and passwords are there (~/.ssh, ~/.netrc). `database` is the file that
/// has the command; it may be empty.
Confinement confinementOf(const CompileCommand &command, const std::string &database, const wire::Settings &settings);

/// CompileCommand::quotable: the project, settings.readableFolders, the system's folders, the compiler's installation
/// and the environment's include paths. What else the command names may be read, but its text is not shown.
std::vector<std::string> quotableFolders(const CompileCommand &command, const std::string &database,
                                         const wire::Settings &settings);

/// For a program that only reads: it may read everything, runs programs of the system and of its own installation
/// alone, and writes nothing.
Confinement confinementOfReader(const std::string &program);

} // namespace analysis

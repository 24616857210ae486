// The compile databases of a folder: compile_commands.json and compile_flags.txt, read by LLVM's tooling library.
//
// A database is parsed once and kept until the file changes: those of large projects take longer to read than a file
// takes to compile.
#pragma once

#include <string>
#include <vector>

namespace analysis {

/// One file's entry in a database.
struct DatabaseEntry {
  std::string directory;              ///< absolute
  std::vector<std::string> arguments; ///< argv as the build runs it, response files expanded, the file among it
  std::string inferredFrom;           ///< absolute path of the file whose entry it is; empty when it is the asked one's
};

struct DatabaseAnswer {
  std::vector<DatabaseEntry> entries; ///< one for each time that the file is built, in the database's order
  std::string problem;                ///< why the file cannot be read; there may be entries of its last readable state
  bool exists = false;
};

/// Looks `path` (absolute) up in the compile_commands.json named by `databasePath`. A file that it lacks gets the entry
/// of the one that LLVM's tooling finds closest by name, place and language, as clangd has it.
DatabaseAnswer lookUpInDatabase(const std::string &databasePath, const std::string &path);

/// Reads a compile_flags.txt, whose flags apply to every file of its folder.
DatabaseAnswer readFlagsFile(const std::string &flagsPath, const std::string &path);

} // namespace analysis

// The compile databases of a folder: compile_commands.json and compile_flags.txt, read by LLVM's tooling library.
//
// A database is parsed once and kept until its FileStamp changes: reading that of a large project takes longer than
// compiling one file. The limits of its size and shape are in analysis/files/database_text.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// One file's entry in a database.
struct DatabaseEntry {
  std::string directory;              ///< absolute
  std::vector<std::string> arguments; ///< argv as the build runs it, response files expanded, the file among it
  std::string inferredFrom;           ///< absolute path of the file whose entry it is; empty if it is the requested one
};

struct DatabaseAnswer {
  std::vector<DatabaseEntry> entries; ///< one for each time that the file is built, in the database's order
  std::string problem; ///< why the file, or what it names, cannot be read; `entries` may be those of its last readable
                       ///< state
  std::vector<std::string> files; ///< that were read: the database or flags file, and response files; absolute
  bool exists = false;
};

/// Looks `path` (absolute) up in the compile_commands.json at `databasePath`. A file that has no entry gets that of the
/// file that LLVM's tooling finds closest by name, place and language (inferMissingCompileCommands(), as in clangd).
/// Response files are read below `folders` and that of the database (plain_files.h).
DatabaseAnswer lookUpInDatabase(const std::string &databasePath, const std::string &path,
                                const std::vector<std::string> &folders);

/// The files that the compile_commands.json names, absolute, in ascending order; none if it cannot be read.
std::vector<std::string> filesOfDatabase(const std::string &databasePath);

/// Has each database read again that was read before, even if its file looks the same.
void forgetDatabases();

/// The same as lookUpInDatabase() in `entries`, the text of a database with entries of `path` alone, as if the file at
/// `databasePath` held them; that file is not read.
DatabaseAnswer lookUpInEntries(const std::string &entries, const std::string &databasePath, const std::string &path,
                               const std::vector<std::string> &folders);

/// Reads a compile_flags.txt, whose flags apply to every file of its folder. Links of it, and response files, may lead
/// to files below `folders` and its own.
DatabaseAnswer readFlagsFile(const std::string &flagsPath, const std::string &path,
                             const std::vector<std::string> &folders);

} // namespace analysis

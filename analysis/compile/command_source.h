// Where the flags of a file come from: the databases around it, the closest file in them, or our own guess.
#pragma once

#include "analysis/compile/database.h"
#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// What a command says, whatever it was read from.
struct CommandSource {
  DatabaseEntry entry;
  std::vector<DatabaseEntry> further; ///< of a file that is built several times, in the database's order
  std::string origin;                 ///< "build/compile_commands.json"
  std::string database;               ///< the file that names the entry's program; empty for flags alone
  bool fallback = false;              ///< nothing names the file
};

/// Whether the file's name is a header's, or says nothing, as those of .inc and .def files.
bool isHeader(const std::string &file);

/// Looks for one file's flags, and notes why a place was passed over.
class SourceSearch {
public:
  SourceSearch(const std::string &file, const wire::Settings &settings, std::vector<std::string> &notes)
      : file_(file), settings_(settings), notes_(notes) {}

  /// The file's own entry, in the configured folder or in those from the file's upward and in their `build/`.
  std::optional<CommandSource> inDatabases();
  /// The nearest compile_flags.txt.
  std::optional<CommandSource> inFlagsFile();
  /// The entry of the closest file, in the nearest of the databases that inDatabases() went through.
  std::optional<CommandSource> closest() { return closest_; }
  CommandSource fallback(wire::Language language) const;

private:
  std::optional<CommandSource> inDatabase(const std::string &database, const std::string &origin);
  void noteWhyNot(const DatabaseAnswer &answer, const std::string &database);

  const std::string &file_;
  const wire::Settings &settings_;
  std::vector<std::string> &notes_;
  std::optional<CommandSource> closest_;
};

} // namespace analysis

// Where the flags of a file come from: the databases around it, the entry of a similar file in them, or our own guess.
#pragma once

#include "analysis/compile/database.h"
#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// The entries of a file, and what they were read from.
struct CommandSource {
  DatabaseEntry entry;
  std::vector<DatabaseEntry> further; ///< if the file is built several times, in the database's order
  std::string origin;                 ///< "build/compile_commands.json"
  std::string database;               ///< the file whose entry names a program; empty for flags alone
  bool fallback = false;              ///< our own guess: nothing names the file
};

/// Whether the file's name is a header's, or says nothing, as with .inc and .def files.
bool isHeader(const std::string &file);

/// What a search for flags came across.
struct SearchRecord {
  std::vector<std::string> notes; ///< why it skipped a place
  std::vector<std::string> files; ///< that it read; absolute
};

/// Looks for one file's flags.
class SourceSearch {
public:
  SourceSearch(const std::string &file, const wire::Settings &settings, SearchRecord &record)
      : file_(file), settings_(settings), record_(record) {}

  /// The file's own entry, in the configured folder or in those from the file's upward and in their `build/`.
  std::optional<CommandSource> inDatabases();
  /// The nearest compile_flags.txt.
  std::optional<CommandSource> inFlagsFile();
  /// The entry of the closest file, in the nearest of the databases that inDatabases() went through.
  std::optional<CommandSource> closest() { return closest_; }
  CommandSource fallback(wire::Language language) const;

private:
  std::optional<CommandSource> inDatabase(const std::string &database, const std::string &origin);
  /// Where the files that flags are read from may be, beside the database.
  std::vector<std::string> folders() const;
  void noteWhyNot(const DatabaseAnswer &answer, const std::string &database);

  const std::string &file_;
  const wire::Settings &settings_;
  SearchRecord &record_;
  std::optional<CommandSource> closest_;
};

} // namespace analysis

// A compile_commands.json, read as strictly as the worker's library reads it (clang's "JSON Compilation Database"): one
// bad entry makes it refuse all of them, and files without commands would be compiled with flags that nobody chose.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

/// One entry, with the members that the format has.
struct CompileEntry {
  std::string directory; ///< as it is written
  std::string file;      ///< as it is written; relative to `directory`
  /// The command has one of the two.
  std::vector<std::string> arguments;
  std::string command;
  std::string output; ///< may be empty
  bool operator==(const CompileEntry &) const = default;
};

/// The entries in their order, or why they are not read.
struct CompileDatabase {
  std::vector<CompileEntry> entries;
  std::string error; ///< in words that follow "FILE: "; empty if the text was read
};

/// Reads the text of a database. One without entries is an error, too.
CompileDatabase readDatabase(std::string_view text);

/// The text of a database with these entries, on one line.
std::string databaseText(const std::vector<CompileEntry> &entries);

/// The absolute and normalized path of the file that an entry names. A relative directory is relative to `folder`,
/// which holds the database.
std::string pathOf(const CompileEntry &entry, const std::string &folder);

} // namespace lsp

// The files of a run of --check, and their order: it decides which shard a file belongs to, so it depends on nothing
// but the options and the database.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/compile_database.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

/// The options that choose files.
struct CheckSelection {
  std::vector<std::string> files;
  std::string compileCommands;       ///< a compile_commands.json or its folder; empty for none
  std::vector<std::string> excludes; ///< globs of names; `*` matches `/`, too
  CheckShard shard;
};

/// The list, or why there is none.
struct CheckFiles {
  std::vector<std::string> names;
  /// The absolute paths that the database has for a file, by its name; for files that it names through links alone.
  std::map<std::string, std::vector<std::string>> linked;
  std::string databaseFolder; ///< absolute; empty without a database
  /// Absolute: headers and other files below it, links followed, belong to the project, too. It is the current folder
  /// if that holds any file of the database, else the deepest one that holds all of them and the database, else the
  /// deepest one that holds them. Links of their folders are followed, but no links that are files: a database could
  /// name any file of the machine so. Empty without a database, and if only the file system's root or the home folder
  /// holds its files.
  std::string projectFolder;
  /// The database's entries of each of the names that it has, by the name as an absolute and normalized path. The
  /// worker gets them in place of the database, so that it cannot see another one than the run does. For other names it
  /// reads the database itself, to find the file that is closest to them.
  std::map<std::string, std::vector<CompileEntry>> commands;
  std::string database;    ///< absolute; empty if none was read
  bool listInputs = false; ///< whether the run lists the files that it reads (CheckedFile::inputs)
  std::string error;       ///< for the log, without a full stop; empty if there is a list
};

/// The absolute path that is compiled: the first one in the database, in ascending order, of a file that has several.
std::string pathOf(const CheckFiles &files, const std::string &name, const std::string &folder);

/// The selected files as they are given, then those of the database by name, relative to `folder`, in ascending order.
/// Links of the database's names are followed, if they lead to a file of the project: the name is what a user would
/// open. Each is there once; those that are excluded and those of other shards are left out, and so are files of the
/// database that are neither assembly nor C or C++. It is an error if none is left for all shards. `folder` is the
/// absolute path of the current folder.
CheckFiles listCheckFiles(const CheckSelection &selection, const std::string &folder);

/// The database at a path, which may be that of its folder. A relative path is relative to the process' folder.
std::string databaseFile(const std::string &given);

/// Whether the name matches a glob that excludes files.
bool isExcluded(const std::string &name, const CheckSelection &selection);

/// The most shards of a run.
inline constexpr uint32_t kMaxShards = 1'000'000;

/// "2/3": the second of three. No value for anything else.
std::optional<CheckShard> readShard(std::string_view text);

/// The limit of a source, and of each other input that is no result of a run, in bytes.
inline constexpr uint64_t kMaxInputBytes = 256u << 20;

} // namespace lsp

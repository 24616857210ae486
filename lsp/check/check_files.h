// Which files a run of --check is about, and in which order.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

struct CheckSelection {
  std::vector<std::string> files;
  std::string compileCommands;       ///< a compile_commands.json or its folder; empty for none
  std::vector<std::string> excludes; ///< globs of names; `*` matches `/`, too
  protocol::CheckShard shard;
};

struct CheckFiles {
  std::vector<std::string> names;
  std::string databaseFolder; ///< absolute; empty without a database
  /// Absolute; other files below it are the project's, too. It is the current folder if it holds any file of the
  /// database, else the deepest one that holds all of them and the database, else the deepest that holds them. Empty
  /// without a database, and when only the file system's root holds its files.
  std::string projectFolder;
  std::string error; ///< why there is no list
};

/// The files as they are given, then those of the database by their names, relative to `folder`, in ascending order:
/// each once, without those that are excluded, and of them those of the shard. Files of a database that are neither
/// assembly nor C or C++ are left out. `folder` is the absolute path of the current folder.
CheckFiles listCheckFiles(const CheckSelection &selection, const std::string &folder);

/// Whether the name matches a glob that excludes files.
bool isExcluded(const std::string &name, const CheckSelection &selection);

/// "2/3": the second of three. No value for anything else.
std::optional<protocol::CheckShard> readShard(std::string_view text);

/// The bytes of a file; no value when it cannot be read.
std::optional<std::string> readWholeFile(const std::string &path);

} // namespace lsp

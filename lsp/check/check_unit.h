// One file of a run, as the edge of a Ninja file analyses it: with all that its result takes from the rest of the run,
// so that the edge reads neither the database nor the list of files, and depends on nothing but the file's own
// commands.
#pragma once

#include "lsp/check/check_files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

struct CheckUnit {
  std::string file;           ///< as the run names it
  std::string databaseFolder; ///< this and the next one as in CheckFiles
  std::string projectFolder;
  std::vector<CompileEntry> commands; ///< the file's entries of the database
  std::string path; ///< absolute, as the database has it, if it leads to the file through a link; else empty
};

/// One line of JSON.
std::string unitJson(const CheckUnit &unit);
/// No value if the text is none that unitJson() wrote.
std::optional<CheckUnit> readUnit(std::string_view text);
/// The run over this file alone. `folder` is the absolute path of the current folder.
CheckFiles filesOf(CheckUnit unit, const std::string &folder);

/// The units of a run over a database, in the order of its files. Empty with an `error` for the log if there are none
/// because the database cannot be read.
std::vector<CheckUnit> unitsOf(const CheckSelection &selection, const std::string &folder, std::string &error);

} // namespace lsp

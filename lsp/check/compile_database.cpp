#include "lsp/check/compile_database.h"

#include "analysis/files/database_text.h"
#include "lsp/check/database_schema.h"
#include "lsp/check/json_structs.h"

#include <filesystem>

namespace lsp {
namespace {

/// What no type rules out; empty if all is well.
std::string problemOf(const CompileEntry &entry) {
  if (entry.file.empty())
    return "has no file";
  const bool hasArguments = !entry.arguments.empty() && !entry.arguments.front().empty();
  const bool hasCommand = entry.command.find_first_not_of(" \t\r\n") != std::string::npos;
  return hasArguments || (entry.arguments.empty() && hasCommand) ? "" : "has no command";
}

} // namespace

CompileDatabase readDatabase(std::string_view text) {
  CompileDatabase database;
  if (std::string why = analysis::whyRefused(text); !why.empty())
    return {{}, "cannot be read: " + why};
  std::string error = readJson<DatabaseSchema>(text, database.entries, UnknownMembers::Refused);
  for (size_t i = 0; i < database.entries.size() && error.empty(); ++i)
    if (const std::string problem = problemOf(database.entries[i]); !problem.empty())
      error = "[" + std::to_string(i) + "] " + problem;
  if (error.empty() && database.entries.empty())
    error = "it has no entries";
  if (!error.empty())
    return {{}, "is no compile database: " + error};
  return database;
}

std::string databaseText(const std::vector<CompileEntry> &entries) {
  return toJson<DatabaseSchema>(entries).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string pathOf(const CompileEntry &entry, const std::string &folder) {
  return (std::filesystem::path(folder) / entry.directory / entry.file).lexically_normal().string();
}

} // namespace lsp

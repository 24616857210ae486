// Entries keep all of their members, in whatever order the database has them: the worker's library chooses among them.
#include "lsp/check/check_unit.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace lsp {
namespace {

using nlohmann::json;

/// The worker refuses deeper databases (analysis/compile/database_text.h); writing one takes a step of the stack a
/// level.
constexpr int kDeepestDatabase = 16;

std::string stringOf(const json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The entries of all these paths as one list.
std::string joinedCommands(const std::map<std::string, std::string> &commands, const std::vector<std::string> &paths) {
  json all = json::array();
  for (const std::string &path : paths)
    if (const auto own = commands.find(path); own != commands.end())
      for (json &entry : json::parse(own->second, nullptr, /*allow_exceptions=*/false))
        all.push_back(std::move(entry));
  return all.dump();
}

} // namespace

std::string unitJson(const CheckUnit &unit) {
  return json{{"file", unit.file},
              {"databaseFolder", unit.databaseFolder},
              {"projectFolder", unit.projectFolder},
              {"path", unit.path},
              {"commands", json::parse(unit.commands, nullptr, /*allow_exceptions=*/false)}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<CheckUnit> readUnit(std::string_view text) {
  const json read = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!read.is_object())
    return std::nullopt;
  CheckUnit unit{.file = stringOf(read, "file"),
                 .databaseFolder = stringOf(read, "databaseFolder"),
                 .projectFolder = stringOf(read, "projectFolder"),
                 .commands = read.value("commands", json()).dump(),
                 .path = stringOf(read, "path")};
  if (unit.file.empty() || unit.databaseFolder.empty())
    return std::nullopt;
  return unit;
}

CheckFiles filesOf(CheckUnit unit) {
  CheckFiles files{.names = {unit.file},
                   .linked = {},
                   .databaseFolder = std::move(unit.databaseFolder),
                   .projectFolder = std::move(unit.projectFolder),
                   .commands = std::move(unit.commands),
                   .error = ""};
  if (!unit.path.empty())
    files.linked[unit.file] = {std::move(unit.path)};
  return files;
}

std::map<std::string, std::string> commandsOfDatabase(std::string_view text, const std::string &folder) {
  const auto isShallow = [](int depth, json::parse_event_t, json &) { return depth <= kDeepestDatabase; };
  const json database = json::parse(text, isShallow, /*allow_exceptions=*/false);
  std::map<std::string, json> entries;
  if (database.is_array())
    for (const json &entry : database)
      if (const std::string file = stringOf(entry, "file"); !file.empty())
        entries[pathOfEntry(folder, stringOf(entry, "directory"), file)].push_back(entry);
  std::map<std::string, std::string> commands;
  for (const auto &[file, own] : entries)
    commands.emplace(file, own.dump());
  return commands;
}

std::vector<CheckUnit> unitsOf(const CheckSelection &selection, const std::string &folder, std::string &error) {
  const CheckFiles files = listCheckFiles(selection, folder);
  error = files.error;
  if (!error.empty())
    return {};
  const std::string database = databaseFile((std::filesystem::path(folder) / selection.compileCommands).string());
  const std::map<std::string, std::string> commands =
      commandsOfDatabase(readWholeFile(database).value_or(""), files.databaseFolder);
  std::vector<CheckUnit> units;
  for (const std::string &name : files.names) {
    const std::string path = pathOf(files, name, folder);
    const auto linked = files.linked.find(name);
    std::vector<std::string> paths{(std::filesystem::path(folder) / name).lexically_normal().string()};
    if (linked != files.linked.end())
      paths.insert(paths.end(), linked->second.begin(), linked->second.end());
    units.push_back({name, files.databaseFolder, files.projectFolder, joinedCommands(commands, paths),
                     path == paths.front() ? "" : path});
  }
  return units;
}

} // namespace lsp

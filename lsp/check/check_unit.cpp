#include "lsp/check/check_unit.h"

#include "lsp/check/database_schema.h"
#include "lsp/check/json_structs.h"

#include <filesystem>
#include <utility>

namespace lsp {

std::string unitJson(const CheckUnit &unit) {
  return toJson<DatabaseSchema>(unit).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<CheckUnit> readUnit(std::string_view text) {
  CheckUnit unit;
  const std::string error = readJson<DatabaseSchema>(text, unit, UnknownMembers::Refused);
  if (!error.empty() || unit.file.empty() || unit.databaseFolder.empty())
    return std::nullopt;
  return unit;
}

CheckFiles filesOf(CheckUnit unit, const std::string &folder) {
  CheckFiles files{.names = {unit.file},
                   .databaseFolder = std::move(unit.databaseFolder),
                   .projectFolder = std::move(unit.projectFolder)};
  if (!unit.path.empty())
    files.linked[unit.file] = {std::move(unit.path)};
  files.commands.emplace((std::filesystem::path(folder) / unit.file).lexically_normal().string(),
                         std::move(unit.commands));
  return files;
}

std::vector<CheckUnit> unitsOf(const CheckSelection &selection, const std::string &folder, std::string &error) {
  CheckFiles files = listCheckFiles(selection, folder);
  error = files.error;
  if (!error.empty())
    return {};
  std::vector<CheckUnit> units;
  for (const std::string &name : files.names) {
    const std::string own = (std::filesystem::path(folder) / name).lexically_normal().string();
    const std::string path = pathOf(files, name, folder);
    units.push_back(
        {name, files.databaseFolder, files.projectFolder, std::move(files.commands[own]), path == own ? "" : path});
  }
  return units;
}

} // namespace lsp

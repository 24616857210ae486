// The rules of check_files.h for databases, globs and shards.
#include "lsp/check/check_files.h"

#include "lsp/system/log.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace lsp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *kDatabaseName = "compile_commands.json";
constexpr uint32_t kMaxShards = 1'000'000;

/// The deepest folder that holds both paths.
fs::path commonFolder(const fs::path &a, const fs::path &b) {
  fs::path common;
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  for (auto part = a.begin(); part != end; ++part)
    common /= *part;
  return common;
}

/// The rule is CheckFiles::projectFolder's. `names`: relative to `folder`; not empty. The file system's root is no
/// project, because the headers of the system would belong to it.
std::string projectFolderOf(const std::vector<std::string> &names, const std::string &folder,
                            const std::string &databaseFolder) {
  const auto isFolder = [](const fs::path &path) { return path.has_relative_path(); };
  fs::path files;
  for (const std::string &name : names) {
    const fs::path own = (fs::path(folder) / name).lexically_normal().parent_path();
    if (isFolder(folder) && commonFolder(own, folder) == folder)
      return folder;
    files = files.empty() ? own : commonFolder(files, own);
  }
  const fs::path all = commonFolder(files, databaseFolder);
  return isFolder(all) ? all.string() : isFolder(files) ? files.string() : "";
}

/// The files of the database `given`, which is the file or its folder; or an error.
CheckFiles inDatabase(const std::string &given, const std::string &folder) {
  const fs::path database = databaseFile((fs::path(folder) / given).lexically_normal().string());
  if (database.filename() != kDatabaseName)
    return {.error = given + ": is neither a folder nor a " + kDatabaseName};
  const std::string name = database.lexically_proximate(folder).string();
  const std::optional<std::string> text = readWholeFile(database.string());
  if (!text)
    return {.error = name + ": cannot be read"};
  CheckFiles result{.databaseFolder = database.parent_path().string()};
  const auto files = filesOfDatabase(*text, result.databaseFolder);
  if (!files)
    return {.error = name + ": is no compile database"};
  for (const std::string &file : *files)
    if (languageOfPath(file))
      result.names.push_back(fs::path(file).lexically_proximate(folder).string());
  if (const size_t foreign = files->size() - result.names.size())
    logInfo(given + ": " + std::to_string(foreign) + " entries are neither assembly nor C or C++");
  std::ranges::sort(result.names);
  if (!result.names.empty())
    result.projectFolder = projectFolderOf(result.names, folder, result.databaseFolder);
  return result;
}

} // namespace

std::string databaseFile(const std::string &given) {
  std::error_code error;
  return fs::is_directory(given, error) ? (fs::path(given) / kDatabaseName).string() : given;
}

bool isExcluded(const std::string &name, const CheckSelection &selection) {
  return std::ranges::any_of(selection.excludes, [&](const std::string &glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0; // without FNM_PATHNAME `*` matches `/`
  });
}

CheckFiles listCheckFiles(const CheckSelection &selection, const std::string &folder) {
  CheckFiles result;
  if (!selection.compileCommands.empty())
    result = inDatabase(selection.compileCommands, folder);
  std::vector<std::string> all = selection.files;
  std::ranges::move(std::exchange(result.names, {}), std::back_inserter(all));
  // Two spellings of one file, "a.c" and "./a.c", are one file; the first is kept. Shards are dealt out afterwards, so
  // that they are of equal length.
  std::set<std::string> known;
  std::erase_if(all, [&](const std::string &name) {
    const std::string path = (fs::path(folder) / name).lexically_normal().string();
    return isExcluded(name, selection) || !known.insert(path).second;
  });
  for (size_t i = selection.shard.index - 1; i < all.size(); i += selection.shard.count)
    result.names.push_back(all[i]);
  return result;
}

/// std::from_chars accepts neither blanks nor signs, and reports a number that does not fit.
std::optional<CheckShard> readShard(std::string_view text) {
  CheckShard shard;
  const char *const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/')
    return std::nullopt;
  const auto count = std::from_chars(index.ptr + 1, end, shard.count);
  if (count.ec != std::errc() || count.ptr != end || shard.index < 1 || shard.index > shard.count ||
      shard.count > kMaxShards)
    return std::nullopt;
  return shard;
}

std::optional<std::vector<std::string>> filesOfDatabase(std::string_view text, const std::string &folder) {
  const json database = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!database.is_array())
    return std::nullopt;
  // The format is that of clang's "JSON Compilation Database": `file` is relative to `directory`.
  const auto stringOf = [](const json &entry, const char *key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
  };
  std::vector<std::string> files;
  for (const json &entry : database) {
    const std::string file = stringOf(entry, "file");
    if (file.empty())
      return std::nullopt;
    files.push_back(pathOfEntry(folder, stringOf(entry, "directory"), file));
  }
  return files;
}

std::string pathOfEntry(const std::string &folder, const std::string &directory, const std::string &file) {
  return (fs::path(folder) / directory / file).lexically_normal().string();
}

std::optional<std::string> readWholeFile(const std::string &path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path, error)) // a directory can be opened, and has no bytes
    return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

} // namespace lsp

// The rules of check_files.h for databases, globs and shards.
#include "lsp/check/check_files.h"

#include "analysis/files/database_text.h"
#include "analysis/files/regular_file.h"
#include "lsp/system/log.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fnmatch.h>
#include <iterator>
#include <set>
#include <utility>

namespace lsp {
namespace {

namespace fs = std::filesystem;

constexpr const char *kDatabaseName = "compile_commands.json";

/// The deepest folder that holds both paths.
fs::path commonFolder(const fs::path &a, const fs::path &b) {
  fs::path common;
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  for (auto part = a.begin(); part != end; ++part)
    common /= *part;
  return common;
}

/// Without links, as far as the path exists.
fs::path realPath(const fs::path &path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real;
}

/// Follows the links of the files' folders, of each once; the files themselves may still be links.
std::vector<fs::path> inRealFolders(const std::vector<std::string> &files) {
  std::map<fs::path, fs::path> folders;
  std::vector<fs::path> real;
  for (const fs::path file : files) {
    const auto [folder, isNew] = folders.try_emplace(file.parent_path());
    if (isNew)
      folder->second = realPath(folder->first);
    real.push_back(folder->second / file.filename());
  }
  return real;
}

/// The headers of the system would belong to the root, and whatever a user has to the home folder.
bool isProject(const fs::path &folder) {
  const char *home = std::getenv("HOME");
  const fs::path all = home && *home == '/' ? realPath(home) : "/";
  return folder.has_relative_path() && commonFolder(folder, all) != folder;
}

/// The rule is CheckFiles::projectFolder's. `files`: as inRealFolders() has them; not empty.
std::string projectFolderOf(const std::vector<fs::path> &files, const fs::path &folder,
                            const fs::path &databaseFolder) {
  fs::path common;
  for (const fs::path &file : files) {
    const fs::path own = file.parent_path();
    if (folder.has_relative_path() && commonFolder(own, folder) == folder)
      return folder.string();
    common = common.empty() ? own : commonFolder(common, own);
  }
  const fs::path all = commonFolder(common, databaseFolder);
  return isProject(all) ? all.string() : isProject(common) ? common.string() : "";
}

std::string normalized(const std::string &name, const std::string &folder) {
  return (fs::path(folder) / name).lexically_normal().string();
}

/// Names the files, sorts the names, and gives each its entries. `entries` are by absolute path. A file that is a link
/// is named by what it leads to, if that is in the project.
void addNamed(std::map<std::string, std::vector<CompileEntry>> &entries, const std::string &folder,
              CheckFiles &result) {
  if (entries.empty())
    return;
  std::vector<std::string> files;
  for (const auto &[path, own] : entries)
    files.push_back(path);
  const std::vector<fs::path> real = inRealFolders(files);
  const fs::path current = realPath(folder);
  result.projectFolder = projectFolderOf(real, current, realPath(result.databaseFolder));
  std::error_code error;
  for (size_t i = 0; i < files.size(); ++i) {
    const fs::path target = fs::is_symlink(real[i], error) ? realPath(real[i]) : real[i];
    const bool isInside =
        !result.projectFolder.empty() && commonFolder(target, result.projectFolder) == fs::path(result.projectFolder);
    const std::string name = (isInside ? target : real[i]).lexically_proximate(current).string();
    const std::string path = normalized(name, folder);
    result.names.push_back(name);
    if (path != files[i])
      result.linked[name].push_back(files[i]); // in ascending order
    std::ranges::move(entries[files[i]], std::back_inserter(result.commands[path]));
  }
  std::ranges::sort(result.names);
}

/// The files of the database `given`, which is the file or its folder; or an error.
CheckFiles inDatabase(const std::string &given, const std::string &folder) {
  const fs::path database = databaseFile(normalized(given, folder));
  if (database.filename() != kDatabaseName)
    return {.error = given + ": is neither a folder nor a " + kDatabaseName};
  const std::string name = database.lexically_proximate(folder).string();
  const analysis::RegularFile text = analysis::readRegularFile(database.string(), analysis::kMaxDatabaseBytes);
  if (!text.isRead())
    return {.error = name + ": cannot be read: " + text.failure};
  CompileDatabase read = readDatabase(text.text);
  if (!read.error.empty())
    return {.error = name + ": " + read.error};
  CheckFiles result{.databaseFolder = database.parent_path().string(), .database = database.string()};
  std::map<std::string, std::vector<CompileEntry>> entries;
  for (CompileEntry &entry : read.entries) {
    const std::string path = pathOf(entry, result.databaseFolder);
    entries[path].push_back(std::move(entry));
  }
  if (const size_t foreign = std::erase_if(entries, [](const auto &one) { return !languageOfPath(one.first); }))
    logInfo(given + ": " + std::to_string(foreign) + " files are neither assembly nor C or C++");
  addNamed(entries, folder, result);
  return result;
}

} // namespace

std::string databaseFile(const std::string &given) {
  std::error_code error;
  return fs::is_directory(given, error) ? (fs::path(given) / kDatabaseName).string() : given;
}

std::string pathOf(const CheckFiles &files, const std::string &name, const std::string &folder) {
  const auto linked = files.linked.find(name);
  return linked != files.linked.end() ? linked->second.front() : (fs::path(folder) / name).lexically_normal().string();
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
    const std::string written = fs::path(pathOf(result, name, folder)).lexically_proximate(folder).string();
    return isExcluded(name, selection) || isExcluded(written, selection) ||
           !known.insert(normalized(name, folder)).second;
  });
  if (all.empty() && result.error.empty())
    result.error = "there is no file to check: none that is named is assembly, C or C++ and not excluded";
  std::map<std::string, std::vector<CompileEntry>> commands;
  for (size_t i = selection.shard.index - 1; i < all.size(); i += selection.shard.count) {
    result.names.push_back(all[i]);
    commands.insert(result.commands.extract(normalized(all[i], folder)));
  }
  result.commands = std::move(commands);
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

} // namespace lsp

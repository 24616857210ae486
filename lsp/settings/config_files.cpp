// Files of any kind may have a configuration's name, and change at any moment. Whatever goes wrong becomes a finding on
// the file, never an exception.
#include "lsp/settings/config_files.h"

#include "analysis/files/folders.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

namespace lsp {
namespace {

using analysis::FileStamp;
using protocol::ConfigFile;
using protocol::ConfigOwner;

constexpr const char *kOutside = "it is a link that leads outside of the project, and is not read";

bool exists(const std::string &path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0;
}

} // namespace

bool isInFolder(std::string_view folder, std::string_view path) {
  while (folder.ends_with('/'))
    folder.remove_suffix(1);
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string ConfigFiles::nearest(std::string_view path, const std::vector<std::string> &roots) const {
  std::string folder = std::filesystem::path(path).lexically_normal().string();
  const auto isInRoot = [&] {
    return std::ranges::any_of(roots, [&](const auto &root) { return isInFolder(root, folder); });
  };
  const bool stopsAtRoot = isInRoot();
  while (folder.starts_with('/')) {
    folder.resize(folder.rfind('/'));
    std::string candidate = folder + "/" + std::string(protocol::kFolderConfigName);
    struct stat status{};
    if (open_.contains(candidate) || (::stat(candidate.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)))
      return candidate;
    if (stopsAtRoot && !isInRoot())
      break;
  }
  return "";
}

void ConfigFiles::touched(const std::string &path) {
  if (const auto known = known_.find(path); known != known_.end())
    known->second.stamp = {};
}

const LoadedConfig *ConfigFiles::load(const std::string &path, ConfigOwner owner,
                                      const std::vector<std::string> &opened) {
  const auto known = known_.find(path), end = known_.end();
  if (const auto open = open_.find(path); open != open_.end()) {
    const std::string &text = open->second;
    if (known != end && known->second.stamp == FileStamp() && known->second.text.bytes() == text)
      return &known->second;
    return store(path, {}, text, protocol::readConfigFile(text, path, owner));
  }
  const std::optional<FileStamp> stamp = analysis::stampOfRegularFile(path);
  if (!stamp && !exists(path)) {
    known_.erase(path);
    return nullptr;
  }
  if (!stamp)
    return store(path, {}, "", protocol::unreadableConfigFile(path, "this is no plain file"));
  if (known != end && known->second.stamp == *stamp)
    return &known->second;
  if (owner == ConfigOwner::Folder && !analysis::liesInProject(path, path, opened))
    return store(path, *stamp, "", protocol::unreadableConfigFile(path, kOutside));
  analysis::RegularFile file = analysis::readRegularFile(path, protocol::kLongestConfig);
  ConfigFile content = file.isRead() ? protocol::readConfigFile(file.text, path, owner)
                                     : protocol::unreadableConfigFile(path, "cannot be read: " + file.failure);
  return store(path, file.isRead() ? file.stamp : *stamp, std::move(file.text), std::move(content));
}

const LoadedConfig *ConfigFiles::store(const std::string &path, FileStamp stamp, std::string text, ConfigFile content) {
  const auto [known, isNew] = known_.try_emplace(path);
  if (!isNew)
    protocol::keepLastGood(content, known->second.content);
  known->second = {Text(std::move(text)), std::move(content), stamp};
  return &known->second;
}

} // namespace lsp

// Looking for files, and reading them.
#include "lsp/workspace/config_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lsp {
namespace {

using protocol::ConfigFile;
using protocol::ConfigOwner;

bool holds(std::string_view folder, std::string_view path) {
  while (folder.ends_with('/'))
    folder.remove_suffix(1);
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// At most one byte more than a configuration may have. On failure an empty value, and errno says why.
std::optional<std::string> readDescriptor(int fd) {
  std::string bytes;
  char chunk[16384];
  while (bytes.size() <= protocol::kLongestConfig) {
    const ssize_t count = ::read(fd, chunk, sizeof chunk);
    if (count < 0)
      return std::nullopt;
    if (count == 0)
      break;
    bytes.append(chunk, static_cast<size_t>(count));
  }
  return bytes;
}

std::optional<std::string> readFile(const std::string &path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return std::nullopt;
  auto bytes = readDescriptor(fd);
  ::close(fd);
  return bytes;
}

} // namespace

bool ConfigFiles::exists(const std::string &path) const {
  struct stat status{};
  return open_.contains(path) || (::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode));
}

std::string ConfigFiles::nearest(std::string_view path, const std::vector<std::string> &roots) const {
  std::string folder = std::filesystem::path(path).lexically_normal().string();
  const bool inRoot = std::any_of(roots.begin(), roots.end(), [&](const auto &root) { return holds(root, folder); });
  while (folder.starts_with('/')) {
    folder.resize(folder.rfind('/'));
    if (std::string candidate = folder + "/" + std::string(protocol::kFolderConfigName); exists(candidate))
      return candidate;
    if (inRoot && std::none_of(roots.begin(), roots.end(), [&](const auto &root) { return holds(root, folder); }))
      break;
  }
  return "";
}

void ConfigFiles::touched(const std::string &path) {
  if (const auto known = known_.find(path); known != known_.end())
    known->second.stamp = {};
}

const LoadedConfig *ConfigFiles::load(const std::string &path, ConfigOwner owner) {
  if (const auto open = open_.find(path); open != open_.end())
    return loadOpen(path, open->second, owner);
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    known_.erase(path);
    return nullptr;
  }
  const Stamp stamp{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  if (const auto known = known_.find(path); known != known_.end() && known->second.stamp == stamp)
    return &known->second.config;
  if (!S_ISREG(status.st_mode))
    return remember(path, stamp, "", protocol::unreadableConfigFile(path, "this is no plain file"));
  auto text = readFile(path);
  if (!text)
    return remember(path, stamp, "",
                    protocol::unreadableConfigFile(path, std::string("cannot be read: ") + std::strerror(errno)));
  ConfigFile content = protocol::readConfigFile(*text, path, owner);
  return remember(path, stamp, std::move(*text), std::move(content));
}

const LoadedConfig *ConfigFiles::loadOpen(const std::string &path, const std::string &text, ConfigOwner owner) {
  const auto known = known_.find(path);
  if (known != known_.end() && known->second.stamp == Stamp() && known->second.config.text.bytes() == text)
    return &known->second.config;
  return remember(path, {}, text, protocol::readConfigFile(text, path, owner));
}

const LoadedConfig *ConfigFiles::remember(const std::string &path, Stamp stamp, std::string text, ConfigFile content) {
  if (const auto known = known_.find(path); known != known_.end())
    protocol::keepLastGood(content, known->second.config.content);
  Known &known = known_[path];
  known = {stamp, {Text(std::move(text)), std::move(content)}};
  return &known.config;
}

} // namespace lsp

// Files of any kind may have a configuration's name, and change at any moment. Whatever goes wrong becomes a finding on
// the file, never an exception.
#include "lsp/workspace/config_files.h"

#include "analysis/common/file_descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

namespace lsp {
namespace {

using protocol::ConfigFile;
using protocol::ConfigOwner;

/// At most a little more than a configuration may have, so that its reader sees that it is too long. On failure it is
/// empty, and errno says why. O_NONBLOCK: since the stat a pipe may have taken the file's place.
std::optional<std::string> readFile(const std::string &path) {
  const analysis::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.open())
    return std::nullopt;
  std::string bytes;
  char chunk[16384];
  while (bytes.size() <= protocol::kLongestConfig) {
    const ssize_t count = ::read(file.get(), chunk, sizeof chunk);
    if (count < 0)
      return std::nullopt;
    if (count == 0)
      break;
    bytes.append(chunk, static_cast<size_t>(count));
  }
  return bytes;
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

const LoadedConfig *ConfigFiles::load(const std::string &path, ConfigOwner owner) {
  const auto known = known_.find(path), end = known_.end();
  if (const auto open = open_.find(path); open != open_.end()) {
    const std::string &text = open->second;
    if (known != end && known->second.stamp == FileStamp() && known->second.text.bytes() == text)
      return &known->second;
    return store(path, {}, text, protocol::readConfigFile(text, path, owner));
  }
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    known_.erase(path);
    return nullptr;
  }
  const FileStamp stamp{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  if (known != end && known->second.stamp == stamp)
    return &known->second;
  if (!S_ISREG(status.st_mode))
    return store(path, stamp, "", protocol::unreadableConfigFile(path, "this is no plain file"));
  std::optional<std::string> text = readFile(path);
  ConfigFile content =
      text ? protocol::readConfigFile(*text, path, owner)
           : protocol::unreadableConfigFile(path, std::string("cannot be read: ") + std::strerror(errno));
  return store(path, stamp, std::move(text).value_or(""), std::move(content));
}

const LoadedConfig *ConfigFiles::store(const std::string &path, FileStamp stamp, std::string text, ConfigFile content) {
  const auto [known, isNew] = known_.try_emplace(path);
  if (!isNew)
    protocol::keepLastGood(content, known->second.content);
  known->second = {Text(std::move(text)), std::move(content), stamp};
  return &known->second;
}

} // namespace lsp

#include "analysis/files/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace analysis {
namespace {

int64_t nanoseconds(const timespec &time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileStamp stampOf(const struct stat &status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<uint64_t>(status.st_size),
          .modified = nanoseconds(status.st_mtim),
          .statusChanged = nanoseconds(status.st_ctim)};
}

std::string largerThan(uint64_t maxBytes) {
  const bool isMebibytes = maxBytes >= (1 << 20);
  return "it is larger than " + std::to_string(isMebibytes ? maxBytes >> 20 : maxBytes) +
         (isMebibytes ? " MiB" : " bytes");
}

} // namespace

std::optional<FileStamp> stampOfRegularFile(const std::string &path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return stampOf(status);
}

OpenRegularFile openRegularFile(const std::string &path, uint64_t maxBytes) {
  OpenRegularFile result;
  struct stat status{};
  const auto failed = [&](std::string why) {
    result.failure = std::move(why);
    return std::move(result);
  };
  if (path.find('\0') != std::string::npos)
    return failed(std::strerror(ENOENT));
  // Opening a device can have effects, so the kind is asked for before, and again of what was opened: something else
  // may have taken the name. O_NONBLOCK: a FIFO that did would block.
  if (::stat(path.c_str(), &status) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failed("it is no regular file");
  result.descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!result.descriptor.open() || ::fstat(result.descriptor.get(), &status) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failed("it is no regular file");
  result.stamp = stampOf(status);
  if (result.stamp.size > maxBytes)
    return failed(largerThan(maxBytes));
  return result;
}

RegularFile readRegularFile(const std::string &path, uint64_t maxBytes) {
  const OpenRegularFile opened = openRegularFile(path, maxBytes);
  const auto failed = [](std::string why) { return RegularFile{.text = {}, .stamp = {}, .failure = std::move(why)}; };
  if (!opened.failure.empty())
    return failed(opened.failure);
  RegularFile result{.text = {}, .stamp = opened.stamp, .failure = {}};
  // One byte more than the file has, which finds its end without another chunk. Files of /proc claim to be empty.
  constexpr uint64_t kLeastChunk = 4096;
  for (size_t filled = 0;;) {
    if (filled == result.text.size())
      result.text.resize(std::max({result.stamp.size + 1, filled + kLeastChunk, uint64_t{2} * filled}));
    const ssize_t count = ::read(opened.descriptor.get(), result.text.data() + filled, result.text.size() - filled);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failed(std::strerror(errno));
    filled += static_cast<size_t>(count);
    if (filled > maxBytes)
      return failed(largerThan(maxBytes));
    if (count == 0) {
      result.text.resize(filled);
      return result;
    }
  }
}

} // namespace analysis

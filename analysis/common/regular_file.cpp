#include "analysis/common/regular_file.h"

#include "analysis/common/file_descriptor.h"

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

RegularFile failed(std::string why) {
  return {.text = {}, .stamp = {}, .failure = std::move(why)};
}

RegularFile tooLarge(uint64_t maxBytes) {
  const bool isMebibytes = maxBytes >= (1 << 20);
  return failed("it is larger than " + std::to_string(isMebibytes ? maxBytes >> 20 : maxBytes) +
                (isMebibytes ? " MiB" : " bytes"));
}

} // namespace

std::optional<FileStamp> stampOfRegularFile(const std::string &path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return stampOf(status);
}

RegularFile readRegularFile(const std::string &path, uint64_t maxBytes) {
  if (path.find('\0') != std::string::npos)
    return failed(std::strerror(ENOENT));
  struct stat status{};
  // Opening a device can have effects, so the kind is asked for before, and again of what was opened: something else
  // may have taken the name. O_NONBLOCK: a FIFO that did would block.
  if (::stat(path.c_str(), &status) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failed("it is no regular file");
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.open() || ::fstat(file.get(), &status) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failed("it is no regular file");
  RegularFile result{.text = {}, .stamp = stampOf(status), .failure = {}};
  if (result.stamp.size > maxBytes)
    return tooLarge(maxBytes);
  // One byte more than the file has, which finds its end without another chunk. Files of /proc claim to be empty.
  constexpr uint64_t kLeastChunk = 4096;
  for (size_t filled = 0;;) {
    if (filled == result.text.size())
      result.text.resize(std::max({result.stamp.size + 1, filled + kLeastChunk, uint64_t{2} * filled}));
    const ssize_t count = ::read(file.get(), result.text.data() + filled, result.text.size() - filled);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failed(std::strerror(errno));
    filled += static_cast<size_t>(count);
    if (filled > maxBytes)
      return tooLarge(maxBytes);
    if (count == 0) {
      result.text.resize(filled);
      return result;
    }
  }
}

} // namespace analysis

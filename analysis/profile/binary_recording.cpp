#include "analysis/profile/binary_recording.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <zlib.h>

namespace analysis {
namespace {

constexpr size_t kChunk = 1 << 20;
constexpr int kGzipWindow = 15 + 16; // the largest window, and gzip's header instead of zlib's

mca::Failure tooLarge() {
  return mca::Failure{"it has more than " + std::to_string(kMaxRecordingBytes >> 20) + " MiB"};
}

/// zlib's state, ended with it.
class Inflater {
public:
  explicit Inflater(std::string &input) {
    stream_.next_in = reinterpret_cast<Bytef *>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    isReady_ = inflateInit2(&stream_, kGzipWindow) == Z_OK;
  }
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Appends what the next step unpacks. Returns zlib's status.
  int step(std::string &output) {
    if (!isReady_)
      return Z_MEM_ERROR;
    stream_.next_out = reinterpret_cast<Bytef *>(chunk_.data());
    stream_.avail_out = static_cast<uInt>(chunk_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    output.append(chunk_, 0, chunk_.size() - stream_.avail_out);
    return status;
  }
  bool hasInput() const { return stream_.avail_in != 0; }
  bool startMember() { return inflateReset(&stream_) == Z_OK; }
  std::string place(const std::string &input) const {
    return " at byte " + std::to_string(input.size() - stream_.avail_in);
  }

private:
  z_stream stream_ = {};
  std::string chunk_ = std::string(kChunk, '\0');
  bool isReady_ = false;
};

} // namespace

mca::Result<std::string> readBytes(int descriptor, const std::function<bool(uint64_t bytes)> &onChunk) {
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kChunk);
    const ssize_t count = read(descriptor, bytes.data() + size, kChunk);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return mca::Failure{std::strerror(errno)};
    const bool isNewMib = size / kChunk != (size + static_cast<size_t>(count)) / kChunk;
    size += static_cast<size_t>(count);
    if (size > kMaxRecordingBytes)
      return tooLarge();
    if (count == 0 || (isNewMib && !onChunk(size))) {
      bytes.resize(size);
      return bytes;
    }
  }
}

mca::Result<std::string> unpacked(std::string bytes) {
  if (!bytes.starts_with("\x1f\x8b"))
    return bytes;
  std::string output;
  Inflater inflater(bytes);
  for (;;) {
    const int status = inflater.step(output);
    if (output.size() > kMaxRecordingBytes)
      return tooLarge();
    if (status == Z_STREAM_END && !inflater.hasInput())
      return output;
    if (status == Z_BUF_ERROR)
      return mca::Failure{"gzip's data are not whole: they end" + inflater.place(bytes)};
    const bool goesOn = status == Z_OK || (status == Z_STREAM_END && inflater.startMember());
    if (!goesOn)
      return mca::Failure{"gzip's data are damaged" + inflater.place(bytes)};
  }
}

} // namespace analysis

#include "analysis/import/line_feed.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace analysis {
namespace {

constexpr size_t kChunk = 1 << 20;
constexpr size_t kLongestLine = 64u << 20; // gcov writes one line for a file

class LineFeed {
public:
  explicit LineFeed(const OnRecordingLine &onLine) : onLine_(onLine) {}

  std::optional<ImportError> feed(std::string_view bytes) {
    for (size_t end; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1))
      if (auto error = endLine(bytes.substr(0, end)))
        return error;
    if (pending_.size() + bytes.size() > kLongestLine)
      return ImportError{lines_ + 1, 0, "this line is longer than 64 MiB"};
    pending_ += bytes;
    return {};
  }

  std::optional<ImportError> finish() { return pending_.empty() ? std::nullopt : endLine({}); }

private:
  std::optional<ImportError> endLine(std::string_view end) {
    ++lines_;
    if (!pending_.empty())
      end = pending_ += end;
    if (end.ends_with('\r'))
      end.remove_suffix(1);
    auto error = onLine_(end);
    pending_.clear();
    return error;
  }

  const OnRecordingLine &onLine_;
  std::string pending_; ///< the beginning of a line
  uint64_t lines_ = 0;
};

} // namespace

std::optional<ImportError> feedLines(int descriptor, const OnRecordingLine &onLine,
                                     const std::function<bool(uint64_t bytes)> &onChunk) {
  LineFeed feed(onLine);
  std::string buffer(kChunk, '\0');
  for (uint64_t bytes = 0, reported = 0;;) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ImportError{.message = std::strerror(errno)};
    if (count == 0)
      return feed.finish();
    if (auto error = feed.feed(std::string_view(buffer.data(), static_cast<size_t>(count))))
      return error;
    bytes += static_cast<uint64_t>(count);
    if (bytes - reported >= kChunk) {
      reported = bytes;
      if (!onChunk(bytes))
        return feed.finish();
    }
  }
}

std::optional<ImportError> feedLines(int descriptor, RecordingReader &reader, BranchSink &sink,
                                     const std::function<bool(uint64_t bytes)> &onChunk) {
  const OnRecordingLine onLine = [&](std::string_view line) { return reader.read(line, sink); };
  if (auto error = feedLines(descriptor, onLine, onChunk))
    return error;
  return reader.finish(sink);
}

} // namespace analysis

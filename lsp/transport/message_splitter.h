// Cuts the bytes that a client sends into messages, as the Language Server Protocol's base protocol frames them:
// header fields, an empty line, then as many bytes of content as the field Content-Length says.
//
// It is handed bytes and hands out messages; it knows no file descriptor, so it is tested with plain strings. A broken
// header does not end the conversation: the splitter says so once and goes on at the next thing that looks like a
// Content-Length field on a line of its own. That cannot be inside the content of a message, because a JSON string
// holds no raw line end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lsp::transport {

/// A message longer than this is refused before anything is allocated for it. In bytes.
inline constexpr size_t kMaxMessageBytes = size_t{256} << 20;

/// A header longer than this is not one. In bytes.
inline constexpr size_t kMaxHeaderBytes = size_t{64} << 10;

/// The content of one message. The bytes stay valid until the next call of feed() or next().
struct Message {
  std::string_view content;
};

/// What was wrong with a header. The splitter has already skipped it.
struct FrameError {
  std::string what;
};

/// More bytes are needed.
struct NeedMore {};

class MessageSplitter {
public:
  using Next = std::variant<NeedMore, Message, FrameError>;

  /// Adds bytes that arrived.
  void feed(std::string_view bytes);

  /// The next message or error, if the bytes so far hold one.
  Next next();

private:
  std::string_view rest() const { return std::string_view(buffer_).substr(consumed_); }
  void dropConsumed();
  Next readHeader();
  Next fail(std::string what);
  bool resynchronise();

  std::string buffer_;
  size_t consumed_ = 0;                 ///< bytes of buffer_ that were handed out or skipped
  size_t searched_ = 0;                 ///< bytes of rest() that are known to hold no end of the header
  std::optional<size_t> contentLength_; ///< set between a header and the end of its content
  bool lost_ = false;                   ///< looking for the next Content-Length field
};

/// The frame around `content`.
std::string frame(std::string_view content);

} // namespace lsp::transport

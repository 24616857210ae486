// Cuts the bytes that a client sends into messages. LSP 3.17, "Base Protocol": header fields, an empty line, then as
// many bytes of content as the field Content-Length says.
//
// It gets bytes and returns messages, and knows no file descriptor, so it is tested with plain strings. A broken header
// does not end the connection: it is reported once, and the splitter goes on at the next thing that looks like a
// Content-Length field on a line of its own. That cannot be inside the content of a message, because a JSON string
// holds no raw line end (RFC 8259 §7).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lsp::transport {

/// A message longer than this is refused before anything is allocated for it. In bytes.
inline constexpr size_t kMaxMessageBytes = size_t{256} << 20;

/// A longer header is an error: a client that sends something else must not fill the memory. In bytes.
inline constexpr size_t kMaxHeaderBytes = size_t{64} << 10;

/// The content of one message. The bytes stay valid until the next call of feed() or next().
struct Message {
  std::string_view content;
};

/// A broken header, which the splitter has already skipped.
struct FrameError {
  std::string what; ///< for the log: "a header without Content-Length"
};

/// The bytes so far hold no further message or error.
struct NeedMore {};

class MessageSplitter {
public:
  using Next = std::variant<NeedMore, Message, FrameError>;

  /// Adds bytes that arrived.
  void feed(std::string_view bytes);

  /// The next message or error: call it until it returns NeedMore.
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

// Frames of the wire: a 4-byte little-endian length, then that many bytes of CBOR.
//
// Both ends are ours, but a worker that is about to crash may write anything. So decoding checks everything, and errors
// are values: the worker is built without exceptions.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <string_view>

namespace analysis::wire {

/// A longer frame is an error of the sender. In bytes.
inline constexpr uint32_t kMaxFrameBytes = 512u << 20;

/// The whole frame, length included.
std::string encode(const ToWorker &message);
std::string encode(const FromWorker &message);

/// Decodes the bytes of one frame without its length. No value if they are not exactly one message.
std::optional<ToWorker> decodeToWorker(std::string_view payload);
std::optional<FromWorker> decodeFromWorker(std::string_view payload);

/// Splits a stream of bytes into the payloads of its frames.
class FrameSplitter {
public:
  /// Appends received bytes.
  void feed(std::string_view bytes);
  /// The next complete payload, if there is one. It stays valid until the next call of feed().
  std::optional<std::string_view> next();
  /// True after a length beyond kMaxFrameBytes; nothing after it can be trusted, and next() returns nothing.
  bool broken() const { return broken_; }

private:
  std::string buffer_;
  size_t consumed_ = 0;
  bool broken_ = false;
};

} // namespace analysis::wire

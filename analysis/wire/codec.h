// Frames of the wire: a 4-byte little-endian length, then that many bytes of CBOR.
//
// Both ends are ours, but a worker that is about to crash may write anything: decoding checks everything and answers
// with an error value, never with an exception.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <string_view>

namespace analysis::wire {

/// A frame longer than this is an error of the peer, not a message. In bytes.
inline constexpr uint32_t kMaxFrameBytes = 512u << 20;

/// The whole frame, length included.
std::string encode(const ToWorker &message);
std::string encode(const FromWorker &message);

/// Decodes the bytes of one frame without its length. No value when they are not such a message.
std::optional<ToWorker> decodeToWorker(std::string_view payload);
std::optional<FromWorker> decodeFromWorker(std::string_view payload);

/// Cuts a stream of bytes into the payloads of its frames.
class FrameSplitter {
public:
  /// Adds bytes that arrived.
  void feed(std::string_view bytes);
  /// The next whole payload, if there is one. It stays valid until the next call of feed().
  std::optional<std::string_view> next();
  /// True once a length beyond kMaxFrameBytes was seen; nothing after it can be trusted.
  bool broken() const { return broken_; }

private:
  std::string buffer_;
  size_t consumed_ = 0;
  bool broken_ = false;
};

} // namespace analysis::wire

// The wire's decoders on any bytes, in both directions: a worker that is about to crash may write anything. What can be
// decoded is encoded to a message that decodes to the same, and a stream means the same however it is cut into reads.
//
// The first byte says how the stream is cut.
#include "analysis/wire/codec.h"
#include "tests/fuzz/property.h"

#include <vector>

namespace {

using fuzz::require;

constexpr size_t kLengthBytes = 4;

/// Messages have no comparison, but one encoding: that of what is decoded again must be the same, bit for bit.
template <class Message>
void checkDecoder(std::string_view bytes, std::optional<Message> (*decode)(std::string_view)) {
  const std::optional<Message> message = decode(bytes);
  if (!message)
    return;
  const std::string encoded = analysis::wire::encode(*message);
  const std::optional<Message> again = decode(std::string_view(encoded).substr(kLengthBytes));
  require(again && again->index() == message->index() && analysis::wire::encode(*again) == encoded);
}

std::vector<std::string> split(std::string_view stream, size_t read, bool &broken) {
  std::vector<std::string> frames;
  analysis::wire::FrameSplitter splitter;
  while (!stream.empty()) {
    const std::string_view part = stream.substr(0, read);
    stream.remove_prefix(part.size());
    splitter.feed(part);
    while (const auto frame = splitter.next())
      frames.emplace_back(*frame);
  }
  broken = splitter.broken();
  return frames;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const std::string_view bytes = fuzz::textOf(data + 1, size - 1);
  checkDecoder<analysis::wire::FromWorker>(bytes, analysis::wire::decodeFromWorker);
  checkDecoder<analysis::wire::ToWorker>(bytes, analysis::wire::decodeToWorker);
  bool isBroken = false, isBrokenAtOnce = false;
  const std::vector<std::string> frames = split(bytes, 1 + data[0] % 64, isBroken);
  require(frames == split(bytes, bytes.size(), isBrokenAtOnce) && isBroken == isBrokenAtOnce);
  return 0;
}

// The wire's decoders on any bytes: a worker that is about to crash may write anything. What can be decoded must encode
// to a message that decodes again.
#include "analysis/wire/codec.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (const auto message = analysis::wire::decodeFromWorker(bytes))
    if (!analysis::wire::decodeFromWorker(std::string_view(analysis::wire::encode(*message)).substr(4)))
      std::abort();
  if (const auto message = analysis::wire::decodeToWorker(bytes))
    if (!analysis::wire::decodeToWorker(std::string_view(analysis::wire::encode(*message)).substr(4)))
      std::abort();
  analysis::wire::FrameSplitter splitter;
  splitter.feed(bytes);
  while (splitter.next()) {
  }
  return 0;
}

// Decoding for positions: each keystroke converts columns, so ASCII is skipped eight bytes at a time.
#include "lsp/protocol/unicode.h"

#include <cstring>

namespace lsp::protocol {

CodePoint decodeUtf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80)
    return {lead, 1, true};
  const uint8_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
    return {lead, 1, false};
  uint32_t value = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return {lead, 1, false};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate)
    return {lead, 1, false};
  return {value, length, true};
}

size_t asciiPrefix(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t at = 0;
  for (uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (word & kHighBits)
      break;
  }
  while (at < text.size() && static_cast<uint8_t>(text[at]) < 0x80)
    ++at;
  return at;
}

} // namespace lsp::protocol

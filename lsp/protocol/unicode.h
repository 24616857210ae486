// Decoding UTF-8, from which positions in the client's encoding are counted.
//
// A byte that belongs to no valid sequence counts as a character of its own, so that every text has positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lsp::protocol {

/// One character at the start of a text. Invalid ones are one byte long.
struct CodePoint {
  uint32_t value = 0;
  uint8_t bytes = 1;
  bool valid = false;
};

/// Decodes the first character of `text`, which must not be empty. Overlong forms, surrogates and values beyond
/// U+10FFFF are invalid (Unicode 15, table 3-7).
CodePoint decodeUtf8(std::string_view text);

/// The number of bytes at the start of `text` that are ASCII.
size_t asciiPrefix(std::string_view text);

} // namespace lsp::protocol

// The part of CBOR (RFC 8949) that the messages consist of, written and read without a tree in between: a result of a
// long file has a hundred thousand values, and its editor waits for it.
//
// The reader takes what the writer writes and little more: natural numbers, texts, booleans, doubles and arrays, each
// with a definite length. It looks before it reads, and it allocates nothing on the word of a length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace analysis::wire {

class CborWriter {
public:
  /// Appends to `out`, which outlives the writer.
  explicit CborWriter(std::string &out) : out_(out) {}

  void number(uint64_t value);
  void boolean(bool value);
  void real(double value);
  /// Bytes that are not UTF-8 are written as they are.
  void text(std::string_view value);
  /// The `size` values that follow are one array.
  void array(size_t size);

private:
  void head(uint8_t major, uint64_t value);
  void append(uint8_t first, uint64_t value, size_t bytes);

  std::string &out_;
};

/// Each function reads the next value. It is false when that is another one, or there is none; the reader is then of no
/// more use.
class CborReader {
public:
  /// `maxValues`: how many values there may be, so that a short frame cannot become a large object.
  CborReader(std::string_view bytes, size_t maxValues) : rest_(bytes), valuesLeft_(maxValues) {}

  bool number(uint64_t &value);
  bool boolean(bool &value);
  bool real(double &value);
  bool text(std::string &value);
  /// `size`: the number of values that follow and belong to the array; there are at least as many bytes.
  bool array(size_t &size);
  bool atEnd() const { return rest_.empty(); }

private:
  bool head(uint8_t major, uint64_t &value);
  bool bigEndian(uint64_t &value, size_t bytes);
  bool count();

  std::string_view rest_;
  size_t valuesLeft_;
};

} // namespace analysis::wire

// The part of CBOR (RFC 8949) that messages use, written and read without a tree in between: the result of a long file
// has a hundred thousand values, and an editor waits for it.
//
// The reader accepts what the writer writes and little more: natural numbers, texts, booleans, doubles and arrays, each
// with a definite length. It checks each length against the bytes that are left, and never allocates by a length alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace analysis::wire {

/// The upper three bits of a value's first byte (RFC 8949, section 3.1).
enum class CborType : uint8_t { Number = 0, Text = 3, Array = 4 };

class CborWriter {
public:
  /// Appends to `out`, which must outlive the writer.
  explicit CborWriter(std::string &out) : out_(out) {}

  void number(uint64_t value) { head(CborType::Number, value); }
  void boolean(bool value);
  void real(double value);
  /// Bytes that are not UTF-8 are written as they are.
  void text(std::string_view value);
  /// Begins an array; the next `size` values are its elements.
  void array(size_t size) { head(CborType::Array, size); }

private:
  void head(CborType type, uint64_t value);
  void append(uint8_t first, uint64_t value, size_t bytes);

  std::string &out_;
};

/// Each function reads the next value, and returns false if that has another type or is missing. After that, the reader
/// must not be used.
class CborReader {
public:
  /// `maxValues`: an upper limit, so that a short frame cannot become a large object.
  CborReader(std::string_view bytes, size_t maxValues) : rest_(bytes), valuesLeft_(maxValues) {}

  bool number(uint64_t &value) { return head(CborType::Number, value); }
  bool boolean(bool &value);
  bool real(double &value);
  bool text(std::string &value);
  /// `size`: the number of elements; at least as many bytes are left.
  bool array(size_t &size) { return head(CborType::Array, size) && size <= rest_.size(); }
  bool atEnd() const { return rest_.empty(); }

private:
  bool head(CborType type, uint64_t &value);
  bool bigEndian(uint64_t &value, size_t bytes);
  bool firstByte(uint8_t &first);

  std::string_view rest_;
  size_t valuesLeft_;
};

} // namespace analysis::wire

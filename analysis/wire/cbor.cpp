// The bytes of cbor.h. A value begins with a byte whose upper three bits are its major type; the lower five are a small
// number or tell how many bytes of one follow (RFC 8949, section 3).
#include "analysis/wire/cbor.h"

#include <array>
#include <bit>

namespace analysis::wire {
namespace {

enum Major : uint8_t { kNumber = 0, kText = 3, kArray = 4 };
constexpr uint8_t kFirstLong = 24; // lower bits: 1, 2, 4 or 8 bytes follow
constexpr uint8_t kLastLong = 27;
constexpr uint8_t kFalse = 0xF4, kTrue = 0xF5, kDouble = 0xFB;

} // namespace

/// One byte, and the lowest `bytes` bytes of the value after it.
void CborWriter::append(uint8_t first, uint64_t value, size_t bytes) {
  std::array<char, 1 + sizeof value> all{static_cast<char>(first)};
  for (size_t i = 0; i < bytes; ++i)
    all[1 + i] = static_cast<char>(value >> (8 * (bytes - 1 - i)));
  out_.append(all.data(), 1 + bytes);
}

void CborWriter::head(uint8_t major, uint64_t value) {
  const auto type = static_cast<uint8_t>(major << 5);
  if (value < kFirstLong) {
    out_ += static_cast<char>(type | value);
    return;
  }
  const uint8_t log = value <= UINT8_MAX ? 0 : value <= UINT16_MAX ? 1 : value <= UINT32_MAX ? 2 : 3;
  append(type | (kFirstLong + log), value, size_t{1} << log);
}

void CborWriter::number(uint64_t value) {
  head(kNumber, value);
}
void CborWriter::boolean(bool value) {
  out_ += static_cast<char>(value ? kTrue : kFalse);
}
void CborWriter::real(double value) {
  append(kDouble, std::bit_cast<uint64_t>(value), sizeof value);
}
void CborWriter::text(std::string_view value) {
  head(kText, value.size());
  out_.append(value);
}
void CborWriter::array(size_t size) {
  head(kArray, size);
}

bool CborReader::count() {
  if (valuesLeft_ == 0 || rest_.empty())
    return false;
  --valuesLeft_;
  return true;
}

bool CborReader::bigEndian(uint64_t &value, size_t bytes) {
  if (rest_.size() < bytes)
    return false;
  value = 0;
  for (size_t i = 0; i < bytes; ++i)
    value = value << 8 | static_cast<uint8_t>(rest_[i]);
  rest_.remove_prefix(bytes);
  return true;
}

bool CborReader::head(uint8_t major, uint64_t &value) {
  if (!count())
    return false;
  const auto first = static_cast<uint8_t>(rest_.front());
  const uint8_t low = first & 0x1F;
  if (first >> 5 != major || low > kLastLong)
    return false;
  rest_.remove_prefix(1);
  value = low;
  return low < kFirstLong || bigEndian(value, size_t{1} << (low - kFirstLong));
}

bool CborReader::number(uint64_t &value) {
  return head(kNumber, value);
}

bool CborReader::boolean(bool &value) {
  if (!count())
    return false;
  const auto first = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  value = first == kTrue;
  return first == kTrue || first == kFalse;
}

bool CborReader::real(double &value) {
  uint64_t bits = 0;
  if (!count() || static_cast<uint8_t>(rest_.front()) != kDouble)
    return false;
  rest_.remove_prefix(1);
  if (!bigEndian(bits, sizeof bits))
    return false;
  value = std::bit_cast<double>(bits);
  return true;
}

bool CborReader::text(std::string &value) {
  uint64_t size = 0;
  if (!head(kText, size) || size > rest_.size())
    return false;
  value.assign(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return true;
}

bool CborReader::array(size_t &size) {
  uint64_t value = 0;
  if (!head(kArray, value) || value > rest_.size())
    return false;
  size = value;
  return true;
}

} // namespace analysis::wire

// The bytes of cbor.h. The first byte of a value has its type in the upper three bits; the lower five are a small
// number, or say how many bytes of a number follow, most significant first (RFC 8949, section 3).
#include "analysis/wire/cbor.h"

#include <array>
#include <bit>

namespace analysis::wire {
namespace {

constexpr uint8_t kFirstLong = 24; // lower bits: 1, 2, 4 or 8 bytes follow
constexpr uint8_t kLastLong = 27;
constexpr uint8_t kFalse = 0xF4, kTrue = 0xF5, kDouble = 0xFB; // section 3.3

} // namespace

/// One byte, and the lowest `bytes` bytes of the value after it.
void CborWriter::append(uint8_t first, uint64_t value, size_t bytes) {
  std::array<char, 1 + sizeof value> all{static_cast<char>(first)};
  for (size_t i = 0; i < bytes; ++i)
    all[1 + i] = static_cast<char>(value >> (8 * (bytes - 1 - i)));
  out_.append(all.data(), 1 + bytes);
}

void CborWriter::head(CborType type, uint64_t value) {
  const auto upper = static_cast<uint8_t>(static_cast<uint8_t>(type) << 5);
  if (value < kFirstLong) { // by far the most
    out_ += static_cast<char>(upper | value);
    return;
  }
  const uint8_t log = value <= UINT8_MAX ? 0 : value <= UINT16_MAX ? 1 : value <= UINT32_MAX ? 2 : 3;
  append(upper | (kFirstLong + log), value, size_t{1} << log);
}

void CborWriter::boolean(bool value) {
  out_ += static_cast<char>(value ? kTrue : kFalse);
}
void CborWriter::real(double value) {
  append(kDouble, std::bit_cast<uint64_t>(value), sizeof value);
}
void CborWriter::text(std::string_view value) {
  head(CborType::Text, value.size());
  out_.append(value);
}

/// Each value has one first byte: values are counted here.
bool CborReader::firstByte(uint8_t &first) {
  if (valuesLeft_ == 0 || rest_.empty())
    return false;
  --valuesLeft_;
  first = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
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

bool CborReader::head(CborType type, uint64_t &value) {
  uint8_t first = 0;
  if (!firstByte(first) || first >> 5 != static_cast<uint8_t>(type))
    return false;
  value = first & 0x1F;
  return value < kFirstLong || (value <= kLastLong && bigEndian(value, size_t{1} << (value - kFirstLong)));
}

bool CborReader::boolean(bool &value) {
  uint8_t first = 0;
  if (!firstByte(first))
    return false;
  value = first == kTrue;
  return first == kTrue || first == kFalse;
}

bool CborReader::real(double &value) {
  uint8_t first = 0;
  uint64_t bits = 0;
  if (!firstByte(first) || first != kDouble || !bigEndian(bits, sizeof bits))
    return false;
  value = std::bit_cast<double>(bits);
  return true;
}

bool CborReader::text(std::string &value) {
  uint64_t size = 0;
  if (!head(CborType::Text, size) || size > rest_.size())
    return false;
  value.assign(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return true;
}

} // namespace analysis::wire

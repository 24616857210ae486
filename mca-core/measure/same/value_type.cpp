#include "mca-core/measure/same/value_type.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <charconv>
#include <cmath>
#include <iterator>

namespace mca::measure {
namespace {

struct Description {
  llvm::StringLiteral name;
  unsigned bytes;
};

/// By Element.
constexpr Description kElements[] = {{"int8", 1},   {"uint8", 1}, {"int16", 2},  {"uint16", 2}, {"int32", 4},
                                     {"uint32", 4}, {"int64", 8}, {"uint64", 8}, {"float", 4},  {"double", 8}};

uint64_t bitsAt(Element element, const uint8_t *at) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < bytesOf(element); ++i)
    bits |= uint64_t{at[i]} << (8 * i);
  return bits;
}

/// The shortest text that gives the same number.
template <typename T>
std::string describeNumber(T value, uint64_t bits) {
  if (std::isnan(value))
    return "nan (0x" + llvm::utohexstr(bits, /*LowerCase=*/true) + ")";
  char text[64];
  return {text, std::to_chars(std::begin(text), std::end(text), value).ptr};
}

} // namespace

unsigned bytesOf(Element element) {
  return kElements[static_cast<size_t>(element)].bytes;
}

bool isSigned(Element element) {
  return element == Element::Int8 || element == Element::Int16 || element == Element::Int32 ||
         element == Element::Int64;
}

std::optional<ValueType> parseValueType(llvm::StringRef text) {
  ValueType type;
  type.isPointer = text.consume_back("*");
  text = text.rtrim();
  for (size_t i = 0; i < std::size(kElements); ++i)
    if (kElements[i].name == text) {
      type.element = static_cast<Element>(i);
      return type;
    }
  return std::nullopt;
}

bool isNaN(Element element, const uint8_t *at) {
  if (element == Element::Float)
    return std::isnan(llvm::bit_cast<float>(static_cast<uint32_t>(bitsAt(element, at))));
  return element == Element::Double && std::isnan(llvm::bit_cast<double>(bitsAt(element, at)));
}

std::string describeElement(Element element, const uint8_t *at) {
  const uint64_t bits = bitsAt(element, at);
  if (element == Element::Float)
    return describeNumber(llvm::bit_cast<float>(static_cast<uint32_t>(bits)), bits);
  if (element == Element::Double)
    return describeNumber(llvm::bit_cast<double>(bits), bits);
  return isSigned(element) ? std::to_string(llvm::SignExtend64(bits, 8 * bytesOf(element))) : std::to_string(bits);
}

} // namespace mca::measure

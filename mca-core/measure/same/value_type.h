// The types of arguments and results that a compared function may have.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca::measure {

enum class Element : uint8_t { Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float, Double };

unsigned bytesOf(Element element);
inline bool isFloatingPoint(Element element) {
  return element >= Element::Float;
}
bool isSigned(Element element);

struct ValueType {
  Element element = Element::Int32;
  bool isPointer = false; ///< to an array of such elements
  bool isInteger() const { return !isPointer && !isFloatingPoint(element); }
};

/// "float", "int32*" and the like.
std::optional<ValueType> parseValueType(llvm::StringRef text);

/// What identifies a function to call.
struct Signature {
  std::string function; ///< its symbol
  std::optional<ValueType> returns;
  std::vector<ValueType> arguments;
};

/// An element in memory as a number; a NaN with its bits.
std::string describeElement(Element element, const uint8_t *at);
bool isNaN(Element element, const uint8_t *at);

} // namespace mca::measure

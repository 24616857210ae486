// The escapes are those of rustc's legacy mangling (compiler/rustc_symbol_mangling/src/legacy.rs).
#include "analysis/regions/rust_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"

namespace analysis {
namespace {

using llvm::StringRef;

/// "h" and 16 hexadecimal digits in lower case.
bool isHash(StringRef part) {
  constexpr size_t kDigits = 16;
  return part.consume_front("h") && part.size() == kDigits &&
         llvm::all_of(part, [](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'f'); });
}

/// The text that `$LT$` and the like encode; empty for an unknown escape. `name` is what is between the signs.
std::string unescaped(StringRef name) {
  unsigned code = 0;
  constexpr unsigned kFirstPrintable = 0x20, kLastPrintable = 0x7e;
  if (name.consume_front("u") && !name.getAsInteger(16, code) && code >= kFirstPrintable && code <= kLastPrintable)
    return std::string(1, static_cast<char>(code));
  return llvm::StringSwitch<std::string>(name)
      .Case("SP", "@")
      .Case("BP", "*")
      .Case("RF", "&")
      .Case("LT", "<")
      .Case("GT", ">")
      .Case("LP", "(")
      .Case("RP", ")")
      .Case("C", ",")
      .Default("");
}

/// One part of a path, such as "drop_in_place$LT$alloc..string..String$GT$".
std::string decoded(StringRef part) {
  std::string text;
  if (part.starts_with("_$")) // an underscore keeps a name from beginning with a dollar sign
    part = part.drop_front();
  while (!part.empty()) {
    const auto [name, rest] = part.drop_front().split('$');
    const std::string character = part.starts_with("$") ? unescaped(name) : "";
    if (!character.empty()) {
      text += character;
      part = rest;
    } else if (part.consume_front("..")) {
      text += "::";
    } else {
      text += part.front();
      part = part.drop_front();
    }
  }
  return text;
}

/// The parts of "_ZN4core3ptr4drop17h0123456789abcdefE" without the last one, which must be a hash.
std::optional<std::string> legacyName(StringRef symbol) {
  llvm::SmallVector<StringRef, 8> parts;
  if (!symbol.consume_front("_ZN") && !symbol.consume_front("__ZN"))
    return std::nullopt;
  while (!symbol.consume_front("E")) {
    size_t length = 0;
    if (symbol.consumeInteger(10, length) || length == 0 || length > symbol.size())
      return std::nullopt;
    parts.push_back(symbol.take_front(length));
    symbol = symbol.drop_front(length);
  }
  // Copies of LLVM's have a suffix: ".llvm.123".
  if (parts.size() < 2 || !isHash(parts.back()) || !(symbol.empty() || symbol.starts_with(".")))
    return std::nullopt;
  parts.pop_back();
  return llvm::join(llvm::map_range(parts, decoded), "::");
}

} // namespace

std::optional<std::string> rustName(StringRef symbol) {
  if (symbol.starts_with("_R") || symbol.starts_with("__R")) {
    const std::string mangled = symbol.split('.').first.str(); // a suffix is LLVM's
    std::string name = llvm::demangle(mangled);
    return name == mangled ? std::nullopt : std::optional(std::move(name));
  }
  if (std::optional<std::string> name = legacyName(symbol))
    return name;
  const auto [path, hash] = symbol.rsplit("::");
  return isHash(hash) ? std::optional(path.str()) : std::nullopt;
}

} // namespace analysis

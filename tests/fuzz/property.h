// How a fuzzer says that something which must hold does not: libFuzzer keeps the input of a process that aborts.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

namespace fuzz {

inline void require(bool condition, std::source_location where = std::source_location::current()) {
  if (condition)
    return;
  std::fprintf(stderr, "%s:%u: this must hold\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

/// The bytes of an input as text.
inline std::string_view textOf(const unsigned char *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Takes the text up to `separator`, which is removed with it; all of it if there is none.
inline std::string_view takeUntil(std::string_view &text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

} // namespace fuzz

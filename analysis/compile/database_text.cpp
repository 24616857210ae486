// Brackets are counted, strings are skipped. What YAML has beside JSON is refused, as it nests in other ways.
#include "analysis/compile/database_text.h"

#include "llvm/ADT/StringExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

constexpr StringRef kByteOrderMark = "\xEF\xBB\xBF";

/// The end of the string after its first quote: one past its last one, or the end of the text.
size_t stringEnd(StringRef text, size_t at) {
  while ((at = text.find_first_of("\"\\", at)) != StringRef::npos) {
    if (text[at] == '"')
      return at + 1;
    at += 2; // an escape sequence
  }
  return text.size();
}

/// Of numbers, true, false and null, and blanks.
bool isOfJson(char c) {
  return llvm::isAlnum(c) || StringRef(" \t\r\n,:.+-").contains(c);
}

} // namespace

std::string whyRefused(StringRef database) {
  database.consume_front(kByteOrderMark);
  size_t depth = 0, strings = 0;
  for (size_t at = 0; at < database.size();) {
    const char c = database[at++];
    if (c == '"') {
      at = stringEnd(database, at);
      if (++strings > kMaxDatabaseStrings)
        return "it has more than " + std::to_string(kMaxDatabaseStrings) + " names and values";
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestDatabase)
        return "it is nested deeper than " + std::to_string(kDeepestDatabase) + " levels";
    } else if (c == ']' || c == '}') {
      depth -= depth > 0;
    } else if (!isOfJson(c)) {
      return "it is no JSON";
    }
  }
  return "";
}

} // namespace analysis

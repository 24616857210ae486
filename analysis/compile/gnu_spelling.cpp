// GNU as accepts bytes of 0x80 and above in names (as manual, "Symbols"); LLVM's AsmLexer does only within quotes.
#include "analysis/compile/gnu_spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace analysis {
namespace {

bool isForeign(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || isForeign(c);
}

/// Appends a line, with its foreign names in quotes. Text that is in quotes already is a string, and stays.
void append(std::string &to, std::string_view line) {
  bool inString = false;
  for (size_t at = 0; at < line.size();) {
    const auto end = std::find_if_not(line.begin() + at, line.end(), isNameCharacter);
    const std::string_view name = line.substr(at, end - (line.begin() + at));
    const bool quote = !inString && llvm::any_of(name, isForeign);
    to.append(quote ? "\"" : "").append(name).append(quote ? "\"" : "");
    at += name.size();
    if (at == line.size() || !name.empty())
      continue;
    inString ^= line[at] == '"';
    if (inString && line[at] == '\\' && at + 1 < line.size())
      to += line[at++];
    to += line[at++];
  }
}

/// "movi	v6.16b, 0xffffffffffffff96" becomes "movi	v6.16b, 0x96" and blanks.
void shortenBytes(std::string &assembly) {
  constexpr std::string_view kSigned = "b, 0xffffffffffffff";
  constexpr size_t kPrefix = 5, kExtension = kSigned.size() - kPrefix;
  for (size_t at = assembly.find(kSigned); at != std::string::npos; at = assembly.find(kSigned, at + 1)) {
    const size_t line = assembly.rfind('\n', at) + 1, byte = at + kPrefix;
    if (!llvm::StringRef(assembly).slice(line, at).ltrim().starts_with("movi\tv") ||
        assembly.size() < byte + kExtension + 2)
      continue;
    assembly.replace(byte, 2, assembly, byte + kExtension, 2);
    assembly.replace(byte + 2, kExtension, kExtension, ' ');
  }
}

/// Most texts have no such names, and are returned as they are.
std::string withQuotedNames(std::string assembly) {
  if (llvm::none_of(assembly, isForeign))
    return assembly;
  std::string quoted;
  quoted.reserve(assembly.size() + 64);
  for (const llvm::StringRef line : llvm::split(assembly, '\n')) {
    if (llvm::any_of(line, isForeign))
      append(quoted, line);
    else
      quoted += line;
    quoted += '\n';
  }
  quoted.pop_back(); // the text ends where its last part does
  return quoted;
}

} // namespace

std::string withLlvmSpelling(std::string assembly) {
  shortenBytes(assembly);
  return withQuotedNames(std::move(assembly));
}

} // namespace analysis

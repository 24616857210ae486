#include "analysis/compile/header_text.h"

#include "analysis/compile/has_word.h"
#include "analysis/compile/optimization_record.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <iterator>

namespace analysis {
namespace {

using llvm::StringRef;

/// Prints definitions of macros, too, the compiler's own first.
const std::vector<std::string> kFlags = {"-E", "-dD"};
/// What follows the compiler's own macros.
constexpr StringRef kCommandLine = "\n# 1 \"<command line>\" 1\n", kDefine = "#define ";

bool isIdentifierByte(char c) {
  return llvm::isAlnum(c) || c == '_';
}

StringRef nameOf(StringRef definition) {
  return definition.drop_front(kDefine.size()).take_while(isIdentifierByte);
}

} // namespace

std::optional<HeaderText> headerTextOf(CompileCommand command, std::string_view text, size_t bytes,
                                       const std::stop_token &stop, const wire::CompileLimits &limits) {
  removeRemarkFlags(command.arguments);
  addClangFlags(command, kFlags);
  const UnsavedText headers{command.compiledFile, std::string(text.substr(0, bytes))};
  const CompileResult printed = compile(command, stop, &headers, nullptr, limits);
  const auto [own, rest] = StringRef(printed.assembly).split(kCommandLine);
  if (!printed.succeeded || rest.empty())
    return std::nullopt;
  HeaderText result{.ownMacros = {}, .rest = fingerprintOf(std::string_view(rest))};
  for (const StringRef line : llvm::split(own, '\n'))
    if (line.starts_with(kDefine))
      result.ownMacros.push_back(line.str());
  llvm::sort(result.ownMacros);
  return result;
}

bool isSameWith(const HeaderText &one, const HeaderText &other, std::string_view text, size_t bytes) {
  if (!(one.rest == other.rest))
    return false;
  std::vector<std::string> different;
  std::ranges::set_symmetric_difference(one.ownMacros, other.ownMacros, std::back_inserter(different));
  const StringRef rest = text.substr(bytes);
  return !rest.contains("__has_") && llvm::none_of(different, [&](const std::string &definition) {
    return hasWord(rest, nameOf(definition), isIdentifierByte);
  });
}

} // namespace analysis

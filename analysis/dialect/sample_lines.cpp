// A recogniser must not read a large text whole, nor take the words of a comment for code.
#include "analysis/dialect/sample_lines.h"

#include "llvm/ADT/StringExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

constexpr size_t kSampleBytes = size_t{64} << 10;

bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// Takes the line's text before a block comment, and leaves in `rest` what follows the comment, possibly lines later. A
/// comment that is never closed is none. `mayHoldComment`: false once one was found that is not closed, as none behind
/// it is: the rest is searched for an end only once.
StringRef takeLine(StringRef &rest, bool &mayHoldComment) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const size_t opening = mayHoldComment ? rest.take_front(end).find("/*") : StringRef::npos;
  const size_t closing = opening == StringRef::npos ? StringRef::npos : rest.find("*/", opening + 2);
  mayHoldComment &= opening == StringRef::npos || closing != StringRef::npos;
  if (closing == StringRef::npos) {
    const StringRef line = rest.take_front(end);
    rest = rest.drop_front(std::min(end + 1, rest.size()));
    return line;
  }
  const StringRef line = rest.take_front(opening);
  rest = rest.drop_front(closing + 2);
  return line;
}

} // namespace

void forEachSampleLine(StringRef text, llvm::function_ref<bool(StringRef line)> visit) {
  StringRef rest = text.take_front(kSampleBytes);
  bool mayHoldComment = rest.contains("/*");
  while (!rest.empty())
    if (const StringRef line = takeLine(rest, mayHoldComment).trim(" \t\r"); !line.empty() && !visit(line))
      return;
}

StringRef firstWordOf(StringRef line) {
  return line.take_until([](char c) { return c == ' ' || c == '\t' || c == '(' || c == ','; });
}

StringRef instructionIn(StringRef line) {
  for (;;) {
    line = line.ltrim(" \t");
    const StringRef name = line.take_while(isNameChar);
    const StringRef rest = line.drop_front(name.size());
    if (name.empty() || !rest.starts_with(":"))
      break;
    line = rest.drop_front();
  }
  if (line.empty() || !llvm::isAlpha(line.front()))
    return {};
  // `#` also opens immediates: a comment has a blank before and after it.
  for (const StringRef opening : {"//", "# ", "#\t", "@ ", "@\t", ";"})
    line = line.take_front(line.find(opening));
  line = line.rtrim(" \t");
  const StringRef rest = line.drop_front(line.take_while(isNameChar).size()).ltrim(" \t");
  return rest.starts_with("=") ? StringRef() : line;
}

StringRef operandsOf(StringRef instruction) {
  return instruction.drop_front(std::min(instruction.find_first_of(" \t"), instruction.size())).ltrim(" \t");
}

void forEachWord(StringRef operands, llvm::function_ref<void(StringRef word, char before)> visit) {
  for (size_t i = 0; i < operands.size();) {
    const StringRef word = operands.drop_front(i).take_while(isNameChar);
    if (!word.empty())
      visit(word, i ? operands[i - 1] : '\0');
    i += std::max<size_t>(word.size(), 1);
  }
}

} // namespace analysis

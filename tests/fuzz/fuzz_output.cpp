// What compilers print, of any bytes: messages and remarks, rules of make, gcc's spelling of assembly.
#include "analysis/compile/compiler_messages.h"
#include "analysis/compile/gnu_spelling.h"
#include "analysis/compile/includes.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;

/// A name that the compiler gave is absolute, or none of a file ("<built-in>").
bool isPlace(const std::string &path) {
  return path.empty() || path.front() == '/' || path.front() == '<';
}

void checkMessages(std::string_view text) {
  constexpr size_t kMaxRemarks = 20'000;
  const CompilerMessages messages = parseCompilerMessages(text, "/project");
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  require(messages.errors.size() + messages.remarks.size() <= lines && messages.remarks.size() <= kMaxRemarks);
  for (const CompilerDiagnostic &error : messages.errors)
    require(isPlace(error.path) && error.message.find('\n') == std::string::npos);
  for (const LoopRemark &remark : messages.remarks)
    require(isPlace(remark.path) && !remark.path.empty());
  for (const VectorizerDecision &decision : messages.decisions) {
    require(isPlace(decision.head.path) && decision.reasons.size() <= 2);
    for (const MissedRemark &reason : decision.reasons)
      require(reason.text.find('\n') == std::string::npos);
  }
}

/// As clang's DependencyFileGenerator writes a name.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += (c == ' ' || c == '#' ? "\\" : c == '$' ? "$" : "") + std::string(1, c);
  return text;
}

void checkRule(std::string_view text) {
  for (const std::string &name : prerequisitesOf(text))
    require(!name.empty());
  // Names with blanks at their ends, or with what ends a line, are those of no file that a source includes.
  std::vector<std::string> names;
  std::string rule = "a.o: ";
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view name = fuzz::takeUntil(rest, '\n');
    if (name.empty() || name.find_first_of("\\\t\r") != std::string_view::npos)
      return;
    names.emplace_back(name);
    rule += " \\\n  " + escaped(name);
  }
  require(prerequisitesOf(rule) == names);
}

/// Lines stay where they are, and plain text as it is.
void checkSpelling(const std::string &text) {
  const std::string spelled = withLlvmSpelling(text);
  require(std::count(spelled.begin(), spelled.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  const bool isPlain = std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
  require(!isPlain || spelled.size() == text.size());
  require(!isPlain || text.find("movi\tv") != std::string::npos || spelled == text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  checkMessages(text);
  checkRule(text);
  checkSpelling(std::string(text));
  return 0;
}

// An operand of AT&T's syntax begins with `%` or `$`, and most instructions have one: a text in that syntax is
// recognised after a few lines.
#include "analysis/dialect/syntax.h"

#include "analysis/dialect/sample_lines.h"
#include "analysis/dialect/x86_registers.h"

#include "llvm/ADT/StringExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

constexpr int kEnoughLines = 2;
/// A text in Intel's syntax shows it long before this many instructions.
constexpr int kMostInstructions = 1000;

bool choosesSyntax(StringRef line) {
  return line.starts_with(".intel_syntax") || line.starts_with(".att_syntax");
}

/// Whether an operand begins with `%` or `$`, as in `%rax`, `*%rax`, `$8` and `%fs:(...)`. In Intel's syntax both
/// characters are only inside of names.
bool hasAttOperand(StringRef operands) {
  for (size_t i = 0; i < operands.size(); ++i)
    if ((operands[i] == '%' || operands[i] == '$') && (i == 0 || StringRef(" \t,(*").contains(operands[i - 1])))
      return true;
  return false;
}

/// Memory as Intel's syntax has it: `[rdi + 8*rax]`, `qword ptr [...]`, `DWORD PTR x[rip]`.
bool hasIntelMemory(StringRef operands) {
  if (operands.contains_insensitive(" ptr "))
    return true;
  const size_t open = operands.find('[');
  if (open == StringRef::npos)
    return false;
  return isX86Register(operands.drop_front(open + 1).ltrim().take_while(llvm::isAlnum).lower());
}

/// Whether one operand is a register in lower case. In upper case it may be Go's.
bool hasBareRegister(StringRef operands) {
  bool found = false;
  while (!operands.empty()) {
    const auto [operand, rest] = operands.split(',');
    found |= isX86Register(operand.trim(" \t"));
    operands = rest;
  }
  return found;
}

} // namespace

bool isIntelSyntax(std::string_view text) {
  int intel = 0, instructions = 0;
  bool decided = false;
  forEachSampleLine(text, [&](StringRef line) {
    if (choosesSyntax(line))
      decided = true;
    const StringRef operands = operandsOf(instructionIn(line));
    if (hasAttOperand(operands))
      decided = true;
    intel += hasIntelMemory(operands) || hasBareRegister(operands);
    instructions += !operands.empty();
    return !decided && instructions < kMostInstructions;
  });
  return !decided && intel >= kEnoughLines;
}

} // namespace analysis

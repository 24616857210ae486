// gcc: -masm=intel writes `movsx` for movsxd, brackets around the memory operand of a call, FLAT: after OFFSET, and
// symbols that are named like registers and operators without quotes; names that are not ASCII without quotes.
// binutils' objdump: `loopq`, `bnd` before jumps, `rex.W` before instructions that have no use for it.
// rustc's output, demangled (cargo-asm, Compiler Explorer): paths as labels and operands, such as `core::ptr::drop`.
// The comments of C, which LLVM's parser of RISC-V takes for operands.
#include "analysis/dialect/spelling.h"

#include "analysis/dialect/sample_lines.h"
#include "analysis/dialect/x86_registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace analysis {
namespace {

using llvm::StringRef;
using Respellings = llvm::SmallVector<Respelling, 2>;

bool isAscii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

std::string quoted(StringRef name) {
  return '"' + name.str() + '"';
}

// ---- x86 -----------------------------------------------------------------------------------------------------------

/// `movsx rcx, r9d` and `movsx rax, DWORD PTR [rdi]`.
void respellSignExtension(StringRef mnemonic, StringRef operands, Respellings &result) {
  const auto [to, from] = operands.split(',');
  const std::string source = from.trim().lower();
  const bool has32Bits =
      StringRef(source).starts_with("dword ptr") ||
      (isX86Register(source) && !isX86Register64(source) && (source.front() == 'e' || source.back() == 'd'));
  if (mnemonic.equals_insensitive("movsx") && isX86Register64(to.trim().lower()) && has32Bits)
    result.push_back({mnemonic, mnemonic.str() + "d"});
}

/// `call [QWORD PTR f[rip]]` and `jmp [QWORD PTR [rax+rdi*8]]`: the brackets around the operand go.
void respellIndirect(StringRef mnemonic, StringRef operands, Respellings &result) {
  const bool isJump = mnemonic.equals_insensitive("call") || mnemonic.equals_insensitive("jmp");
  if (!isJump || !operands.starts_with("[") || !operands.ends_with("]"))
    return;
  const StringRef inside = operands.drop_front().ltrim(" \t");
  if (!inside.starts_with_insensitive("qword ptr") && !inside.starts_with_insensitive("dword ptr"))
    return;
  result.push_back({operands.take_front(1), ""});
  result.push_back({operands.take_back(1), ""});
}

/// `OFFSET FLAT:x`.
void respellOffset(StringRef operands, Respellings &result) {
  const size_t offset = operands.find_insensitive("offset flat:");
  if (offset != StringRef::npos)
    result.push_back({operands.substr(offset + StringRef("offset ").size(), StringRef("flat:").size()), ""});
}

/// `DWORD PTR and[rip]`: a symbol with the name of a register or an operator.
void respellSymbol(StringRef operands, Respellings &result) {
  constexpr StringRef kPointer = " ptr ";
  const size_t pointer = operands.find_insensitive(kPointer);
  if (pointer == StringRef::npos)
    return;
  const StringRef after = operands.drop_front(pointer + kPointer.size());
  const StringRef name = after.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
  const StringRef rest = after.drop_front(name.size());
  const bool isSegment = rest.starts_with(":");
  if (!name.empty() && llvm::isAlpha(name.front()) && !isSegment)
    result.push_back({name, quoted(name)});
}

/// `loopq`, and the prefixes that change nothing.
void respellMnemonic(StringRef mnemonic, Respellings &result) {
  const bool isLoop = llvm::is_contained({"loopq", "loopeq", "loopneq", "loopzq", "loopnzq"}, mnemonic);
  if (isLoop)
    result.push_back({mnemonic.take_back(1), ""});
  if (mnemonic == "bnd" || mnemonic.starts_with("rex."))
    result.push_back({mnemonic, ""});
}

// ---- names ---------------------------------------------------------------------------------------------------------

/// The end of the path that begins with the text: of names, `::` and balanced `<…>` and `{…}`, in which blanks may be.
size_t pathEnd(StringRef text) {
  size_t depth = 0, i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '<' || c == '{';
    if ((c == '>' || c == '}') && (i == 0 || text[i - 1] != '-')) { // not the arrow of `fn() -> T`
      if (depth == 0)
        break;
      --depth;
    }
    const bool isColon = text.substr(i).starts_with("::") || (i > 0 && text.substr(i - 1).starts_with("::"));
    const bool isPart = depth || llvm::isAlnum(c) || !isAscii(c) || StringRef("_$.>}").contains(c) || isColon;
    if (!isPart)
      break;
  }
  return i;
}

/// Quotes the paths and the names with other letters than ASCII's in a line, which may begin with a label.
void quoteNames(StringRef line, Respellings &result) {
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"')
      return; // strings and quoted names are left to the parser
    const bool begins = llvm::isAlpha(c) || c == '_' || c == '<' || !isAscii(c);
    const bool continues = i > 0 && (llvm::isAlnum(line[i - 1]) || StringRef("_.$@").contains(line[i - 1]));
    if (!begins || continues)
      continue;
    const StringRef name = line.drop_front(i).take_front(pathEnd(line.drop_front(i)));
    if (name.contains("::") || !llvm::all_of(name, isAscii))
      result.push_back({name, quoted(name)});
    i += name.empty() ? 0 : name.size() - 1;
  }
}

// ---- comments ------------------------------------------------------------------------------------------------------

/// Whether a comment up to the end of the line begins here. `#` begins one for all targets at the begin of a line.
bool beginsLineComment(StringRef text, size_t at, StringRef comment) {
  const StringRef rest = text.drop_front(at);
  if (rest.starts_with("//") || (!comment.empty() && rest.starts_with(comment)))
    return true;
  const StringRef before = text.take_front(at).rtrim(" \t");
  return rest.starts_with("#") && (before.empty() || before.ends_with("\n"));
}

/// The block comments of a text but for those that control the analysis. `comment`: what begins a comment up to the end
/// of a line.
Respellings blockComments(StringRef text, StringRef comment) {
  Respellings result;
  for (size_t at = 0; at < text.size();) {
    const StringRef rest = text.drop_front(at);
    size_t length = 1;
    if (rest.starts_with("\"")) {
      length = std::min(rest.find_first_of("\"\n", 1), rest.size() - 1) + 1;
    } else if (rest.starts_with("/*")) {
      length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
      const StringRef whole = rest.take_front(length);
      if (!whole.contains("mca:") && !whole.contains("LLVM-MCA-"))
        result.push_back({whole, " "});
    } else if (beginsLineComment(text, at, comment)) {
      length = std::min(rest.find('\n'), rest.size());
    }
    at += length;
  }
  return result;
}

Respellings respelledLine(StringRef line, bool isX86) {
  Respellings result;
  const StringRef instruction = instructionIn(line);
  if (isX86 && !instruction.empty())
    result = respellX86(instruction);
  if (result.empty())
    quoteNames(line, result);
  return result;
}

} // namespace

Respellings respellX86(StringRef instruction) {
  Respellings result;
  const StringRef mnemonic = firstWordOf(instruction), operands = operandsOf(instruction);
  respellMnemonic(mnemonic, result);
  respellSignExtension(mnemonic, operands, result);
  respellIndirect(mnemonic, operands, result);
  respellOffset(operands, result);
  if (result.empty())
    respellSymbol(operands, result);
  return result;
}

std::vector<mca::TextEdit> respelled(std::string_view text, std::span<const uint32_t> errors,
                                     const mca::Target &target) {
  const StringRef whole(text);
  std::vector<Respelling> parts;
  bool hasComment = target.triple().isRISCV() && !errors.empty(); // the refused one may be in a macro
  size_t done = 0;                                                // the end of the last line
  for (const uint32_t error : errors) {
    if (error < done)
      continue;
    const size_t begin = whole.take_front(error).rfind('\n') + 1; // npos + 1 is 0
    const size_t end = std::min(whole.find_first_of("\r\n", error), whole.size());
    done = end + 1;
    const StringRef line = whole.slice(begin, end);
    hasComment |= line.contains("/*");
    llvm::append_range(parts, respelledLine(line, target.triple().isX86()));
  }
  if (hasComment)
    llvm::append_range(parts, blockComments(whole, target.asmInfo().getCommentString()));
  llvm::sort(parts, [](const Respelling &a, const Respelling &b) { return a.part.data() < b.part.data(); });
  std::vector<mca::TextEdit> edits;
  for (Respelling &one : parts) {
    const auto at = static_cast<uint32_t>(one.part.data() - whole.data());
    if (edits.empty() || at >= edits.back().begin + edits.back().length)
      edits.push_back({at, static_cast<uint32_t>(one.part.size()), std::move(one.text)});
  }
  return edits;
}

} // namespace analysis

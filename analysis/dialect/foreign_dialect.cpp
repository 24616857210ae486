// Each line of the sample adds points to the dialects that it could be of; two points decide. A line that only one
// dialect has counts two.
//
// Sources: the manuals of NASM ("The NASM Preprocessor", "Assembler Directives") and FASM, Microsoft's MASM reference,
// Arm's armasm user guide, "A Quick Guide to Go's Assembler", GMP's mpn/asm-defs.m4 and x264's x86inc.asm.
#include "analysis/dialect/foreign_dialect.h"

#include "analysis/dialect/sample_lines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <array>

namespace analysis {
namespace {

using llvm::StringRef;

enum Dialect { kNasm, kFasm, kM4, kMasm, kArmasm, kIar, kGo, kDialects };

constexpr const char *kListing = "assemble it and open the listing of `objdump -d`, which is read";
constexpr std::array<ForeignDialect, kDialects> kAll = {{
    {"NASM's syntax", kListing},
    {"FASM's syntax", kListing},
    {"written for the macro processor m4", "run m4 on it, as its build does, and open the output"},
    {"Microsoft's syntax (MASM)", kListing},
    {"armasm's syntax", kListing},
    {"the syntax of IAR's assembler", kListing},
    {"the syntax of Go's assembler", "build it and open the listing of `objdump -d`, which is read"},
}};

constexpr int kMostGnuLines = 200;
constexpr int kEnough = 2, kSure = 2, kPossible = 1;

/// Directives that GNU assembly has, and none of the others but m4's.
bool isGnuDirective(StringRef word) {
  return word.starts_with(".cfi_") ||
         llvm::StringSwitch<bool>(word)
             .Cases({".globl", ".global", ".section", ".text", ".type", ".size", ".p2align", ".balign"}, true)
             .Cases({".file", ".ident", ".byte", ".long", ".quad", ".intel_syntax", ".att_syntax", ".syntax"}, true)
             .Default(false);
}

bool isNasmPreprocessor(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"include", "macro", "imacro", "endmacro", "define", "idefine", "xdefine", "assign"}, true)
      .Cases({"if", "ifdef", "ifndef", "ifidn", "ifidni", "ifid", "ifnum", "ifmacro"}, true)
      .Cases({"elif", "elifdef", "elifidn", "else", "endif", "rep", "endrep", "exitrep"}, true)
      .Cases({"undef", "unmacro", "error", "warning", "use", "pragma", "rotate", "strlen"}, true)
      .Default(false);
}

bool isName(StringRef word) {
  return !word.empty() && !llvm::isDigit(word.front()) &&
         llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || StringRef("_.$?@~|").contains(c); });
}

/// Whether the text is "f" or "f, g": the operands of a directive that names symbols.
bool areNames(StringRef text) {
  llvm::SmallVector<StringRef, 4> names;
  text.split(';').first.split(names, ',');
  return llvm::all_of(names, [](StringRef name) { return isName(name.trim(" \t")); });
}

class Recogniser {
public:
  /// Returns whether further lines are needed.
  bool read(StringRef line) {
    const StringRef first = firstWordOf(line);
    const StringRef rest = line.drop_front(first.size()).ltrim(" \t");
    // NASM's structures have members such as `.size resq 1`.
    isGnu_ |= isGnuDirective(first) && !rest.starts_with("res");
    points_[kNasm] += nasm(line, first, rest);
    points_[kFasm] += fasm(first, rest);
    points_[kM4] += m4(line, first, rest);
    points_[kMasm] += masm(line, first, rest);
    points_[kArmasm] += armasm(first, rest);
    points_[kIar] += iar(first, rest);
    points_[kGo] += go(line, first, rest);
    // Texts for m4 and Go begin with their signs.
    return !isGnu_ || ++lines_ < kMostGnuLines;
  }

  const ForeignDialect *result() const {
    // MSVC's listings for ARM are armasm's, and have lines of both.
    for (const Dialect dialect : {kM4, kGo, kArmasm, kIar, kFasm, kNasm, kMasm})
      if (points_[dialect] >= kEnough && (!isGnu_ || dialect == kM4))
        return &kAll[dialect];
    return declaresGo_ ? &kAll[kGo] : nullptr;
  }

private:
  int nasm(StringRef line, StringRef first, StringRef rest) {
    if (line.starts_with("%"))
      return isNasmPreprocessor(first.drop_front().take_while(llvm::isAlnum)) ? kSure : 0;
    if (line.starts_with("[")) // `[bits 64]`, `[section .text]`
      return line.contains("]") ? nasm(line.drop_front().take_until([](char c) { return c == ']'; })) : 0;
    return nasmDirective(first, rest);
  }
  int nasm(StringRef directive) {
    const StringRef first = firstWordOf(directive);
    return nasmDirective(first, directive.drop_front(first.size()).ltrim(" \t"));
  }
  int nasmDirective(StringRef first, StringRef rest) {
    if (first.equals_insensitive("section") || first.equals_insensitive("segment"))
      return rest.starts_with(".") && !rest.contains(':') ? kSure : 0;
    if (first.equals_insensitive("bits"))
      return rest.starts_with("16") || rest.starts_with("32") || rest.starts_with("64") ? kSure : 0;
    if (first.equals_insensitive("default"))
      return rest.starts_with_insensitive("rel") || rest.starts_with_insensitive("abs") ? kSure : 0;
    if (first == "cglobal" || first == "cextern")
      return rest.empty() ? 0 : kSure;
    if (llvm::is_contained({"INIT_MMX", "INIT_XMM", "INIT_YMM", "INIT_ZMM"}, first))
      return kPossible;
    if (first.equals_insensitive("global") || first.equals_insensitive("extern"))
      return areNames(rest) ? kPossible : 0;
    return 0;
  }

  static int fasm(StringRef first, StringRef rest) {
    if (first.equals_insensitive("format"))
      return llvm::StringSwitch<int>(firstWordOf(rest))
          .CasesLower({"elf", "elf64", "pe", "pe64", "coff", "ms", "ms64", "binary", "mz"}, kSure)
          .Default(0);
    if (first.equals_insensitive("segment") || first.equals_insensitive("section"))
      return rest.contains("readable") || rest.contains("executable") ? kSure : 0;
    return 0;
  }

  static int m4(StringRef line, StringRef first, StringRef rest) {
    if (first == "dnl")
      return kSure;
    const bool quotes = rest.starts_with("(`");
    return quotes && (first == "define" || first == "include" || first == "ifdef" || first == "ifelse") ? kSure
           : line.starts_with("changequote(") || line.starts_with("m4_")                                ? kSure
                                                                                                        : 0;
  }

  int masm(StringRef line, StringRef first, StringRef rest) {
    if (line.starts_with("; Listing generated by Microsoft"))
      return kSure;
    const StringRef second = firstWordOf(rest);
    if (!isName(first))
      return 0;
    if (second.equals_insensitive("proc") || second.equals_insensitive("segment"))
      opened_ = first;
    // In GNU assembly the second word may be a symbol: `call proc`.
    if (second.equals_insensitive("endp") || second.equals_insensitive("ends"))
      return first == opened_ ? kSure : 0;
    if (second == "PROC" || second == "SEGMENT")
      return kPossible;
    if (first.equals_insensitive("includelib") || first.equals_insensitive(".model"))
      return kSure;
    if (first.equals_insensitive("extrn") || first.equals_insensitive("externdef"))
      return rest.contains(':') ? kSure : 0;
    return first == "PUBLIC" && areNames(rest) ? kPossible : 0;
  }

  static int armasm(StringRef first, StringRef rest) {
    if (first.equals_insensitive("area")) {
      llvm::SmallVector<StringRef, 8> attributes;
      rest.split(attributes, ',');
      return llvm::any_of(llvm::drop_begin(attributes),
                          [](StringRef one) {
                            return llvm::is_contained({"CODE", "DATA", "READONLY", "READWRITE", "NOINIT"},
                                                      one.trim(" \t").upper());
                          })
                 ? kSure
                 : 0;
    }
    if (first == "EXPORT" || first == "IMPORT")
      return kPossible;
    return first == "PRESERVE8" || first == "REQUIRE8" || first == "ENDP" ? kPossible : 0;
  }

  static int iar(StringRef first, StringRef rest) {
    const bool isSection = first.equals_insensitive("section") || first.equals_insensitive("rseg");
    return isSection && (rest.contains(":CODE") || rest.contains(": CODE") || rest.contains(":DATA") ||
                         rest.contains(":CONST"))
               ? kSure
               : 0;
  }

  /// Symbols of Go's assembler are relative to pseudo registers: `f(SB)`, `n+0(FP)`. A snippet has its registers alone,
  /// in upper case and without `%`: `ADDQ $3, AX`.
  int go(StringRef line, StringRef first, StringRef rest) {
    const size_t base = line.find("(SB)");
    if (base != StringRef::npos && base > 0 && !llvm::isDigit(line[base - 1]) && !llvm::isSpace(line[base - 1])) {
      declaresGo_ |= llvm::is_contained({"TEXT", "GLOBL", "DATA"}, first) || line.contains("\tTEXT\t");
      return kPossible;
    }
    if (line.contains('%') || line.contains('[')) // registers of AT&T's syntax, memory of Intel's
      goLines_ = -1;
    if (goLines_ < 0 || !isGoInstruction(first, rest))
      return 0;
    return ++goLines_ % 2 == 0 ? kPossible : 0;
  }
  static bool isGoInstruction(StringRef mnemonic, StringRef operands) {
    if (mnemonic.size() < 3 || !llvm::all_of(mnemonic, [](char c) { return llvm::isUpper(c) || llvm::isDigit(c); }))
      return false;
    bool namesRegister = false;
    forEachWord(operands, [&](StringRef word, char) {
      namesRegister |= llvm::is_contained(
          {"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}, word);
    });
    return namesRegister && (mnemonic.ends_with("Q") || operands.contains('$') || operands.contains('('));
  }

  std::array<int, kDialects> points_{};
  bool isGnu_ = false;
  int lines_ = 0;           ///< since the first GNU directive
  StringRef opened_;        ///< the name before MASM's PROC or SEGMENT
  bool declaresGo_ = false; ///< whether Go's TEXT or the like declares a symbol, which nothing outweighs
  int goLines_ = 0;         ///< instructions that only Go's assembler has; -1: the text is none of Go's
};

} // namespace

const ForeignDialect *foreignDialectOf(std::string_view text) {
  Recogniser recogniser;
  forEachSampleLine(text, [&](StringRef line) { return recogniser.read(line); });
  return recogniser.result();
}

} // namespace analysis

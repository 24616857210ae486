// What lines of assembly that stand in a text many times say, so that LLVM's parser has to read each but once.
//
// Of a compiler's instructions two thirds repeat an earlier one to the letter. Where such a line names registers,
// numbers and a symbol that is no variable, it says the same wherever it stands, as long as the syntax and the
// subtarget stay. Only x86 in AT&T's syntax marks its registers: elsewhere a name may be either, or another name for a
// register, with a meaning that changes on the way.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCInst.h"

namespace llvm {
class MCSymbol;
} // namespace llvm

namespace mca {

class RepeatedLines {
public:
  /// Whether the target's lines can be remembered.
  static bool supports(const Target &target);

  /// Whether the line, without the white space before it, says nothing: a comment that is no marker, and does not
  /// rename the lines behind it (`# 7 "file.c"`).
  static bool isEmpty(llvm::StringRef line);

  /// Remembers what a line says, unless that depends on the place. `line`: from the mnemonic to the end.
  void add(llvm::StringRef line, const llvm::MCInst &inst);
  /// Null when it is not known, or may not say the same any more.
  const llvm::MCInst *find(llvm::StringRef line) const;

private:
  struct Line {
    llvm::MCInst inst;
    const llvm::MCSymbol *symbol = nullptr; ///< that it names, if any
  };
  llvm::StringMap<Line> known_;
};

} // namespace mca

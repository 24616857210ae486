// A cache of the instructions of repeated lines, so that LLVM's parser reads each of them only once.
//
// Two thirds of a compiler's instructions repeat an earlier line exactly. A line with only registers, numbers and one
// symbol that is no variable has the same meaning everywhere, as long as syntax and subtarget stay the same. This works
// only for x86 in AT&T syntax, which marks registers with `%`: elsewhere a name may be a symbol, a register or an alias
// of one, and its meaning can change within the text.
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
  /// Whether the target's lines can be cached.
  static bool supports(const Target &target);

  /// Whether the line (without leading white space) is empty or an ordinary comment: no marker, no statement of ours
  /// (`# mca:`), and no line marker such as `# 7 "file.c"`.
  static bool isEmpty(llvm::StringRef line);

  /// Adds a line with the one instruction that LLVM's parser made of it, unless its meaning depends on the place.
  /// `line`: from the mnemonic to the end of the line.
  void add(llvm::StringRef line, const llvm::MCInst &inst);
  /// Returns null if the line is unknown or may have changed its meaning.
  const llvm::MCInst *find(llvm::StringRef line) const;

private:
  struct Line {
    llvm::MCInst inst;
    const llvm::MCSymbol *symbol = nullptr; ///< the symbol in the line, if any
  };
  llvm::StringMap<Line> cache_;
};

} // namespace mca

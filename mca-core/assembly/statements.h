// Statements of assembly text: where one begins, and what a directive can hold.
#pragma once

#include "mca-core/assembly/names.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace mca {

/// Returns a statement without its labels: it starts with a directive, a mnemonic or an assigned name.
inline llvm::StringRef withoutLabels(llvm::StringRef statement) {
  for (;;) {
    statement = statement.ltrim(" \t\r");
    const llvm::StringRef name = nameAt(statement);
    llvm::StringRef rest = statement.drop_front(name.size()).ltrim(" \t");
    if (name.empty() || !rest.consume_front(":"))
      return statement;
    statement = rest;
  }
}

/// Returns where the statement around `offset` begins, after its labels. `separator`: that of the target's statements.
inline size_t statementAt(llvm::StringRef text, size_t offset, llvm::StringRef separator) {
  const llvm::StringRef before = text.take_front(offset);
  const size_t end = before.find_last_of(separator.size() == 1 ? ("\n" + separator).str() : std::string("\n"));
  return static_cast<size_t>(withoutLabels(text.drop_front(end + 1)).data() - text.data()); // npos + 1 is 0
}

/// Whether instructions may be missing if the statement, without labels, cannot be read. Directives about symbols,
/// sections, unwinding and debug information hold none; of one with an unknown name nothing is known.
inline bool mayHoldInstructions(llvm::StringRef statement) {
  const llvm::StringRef directive = nameAt(statement);
  if (!directive.starts_with("."))
    return true;
  if (directive.starts_with(".cfi_") || directive.starts_with(".seh_"))
    return false;
  return llvm::StringSwitch<bool>(directive)
      .Cases({".globl", ".global", ".local", ".weak", ".hidden", ".protected", ".internal", ".type", ".size"}, false)
      .Cases({".file", ".loc", ".ident", ".addrsig", ".addrsig_sym", ".comm", ".lcomm", ".set", ".equ"}, false)
      .Cases({".text", ".data", ".bss", ".section", ".pushsection", ".popsection", ".previous", ".subsection"}, false)
      .Cases({".p2align", ".align", ".balign", ".fnstart", ".fnend", ".cantunwind", ".attribute", ".eabi_attribute"},
             false)
      .Default(true);
}

} // namespace mca

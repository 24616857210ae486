// Which calls the compiler inlined around each instruction, from the DWARF in its assembly.
//
// A `.loc` names the innermost place of an instruction; the calls on the way to it are the inlined_subroutine entries
// of the DWARF (DWARF 5, 3.3.8.2) whose ranges hold the instruction. gcc writes them from -g1 on and prints the stack
// nowhere else; clang writes them with -gline-tables-only (its -g1) and -g. The program's data have instructions for
// addresses, so that ranges are ranges of instructions.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// A call that the compiler inlined.
struct CallSite {
  uint32_t file = 0; ///< the number of its `.file`
  uint32_t line = 0; ///< 1-based, 0 when the compiler gives none
  uint32_t column = 0;
};

/// What is around an instruction, as a tree: the inlined calls of one function share those around them.
class InlineScopes {
public:
  static constexpr uint32_t kNone = ~0u;

  struct Scope {
    CallSite call;
    uint32_t parent = kNone;   ///< the call around it; comes before it in scopes()
    uint32_t function = kNone; ///< of nameOf(): the function that was inlined
  };

  /// Prefixes of the sections to keep (ParseOptions::keepData) for read().
  static std::vector<std::string> sections();
  /// From the program's DWARF 4 or 5; empty when it has none, or none that can be read.
  static InlineScopes read(const mca::Program &program);

  std::span<const Scope> scopes() const { return scopes_; }
  /// The innermost scope that the instruction is in; kNone when it is in no inlined call.
  uint32_t scopeOf(uint32_t instruction) const { return instruction < scopeOf_.size() ? scopeOf_[instruction] : kNone; }
  /// The inlined calls that the instruction is in, innermost first.
  llvm::SmallVector<CallSite, 8> callsAround(uint32_t instruction) const;
  /// The name of the function that was inlined there, without its class and arguments; empty when unknown.
  std::string_view nameOf(const Scope &scope) const;

private:
  friend class ScopeReader;

  std::vector<Scope> scopes_;
  std::vector<uint32_t> scopeOf_; // by instruction; empty when there are no scopes
  std::vector<std::string> names_;
};

} // namespace analysis

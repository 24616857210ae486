// Which calls the compiler inlined around each instruction, from the DWARF in its assembly.
//
// A `.loc` names the innermost place of an instruction. The calls around it are the DW_TAG_inlined_subroutine entries
// (DWARF 5, 3.3.8.2) whose ranges contain the instruction. gcc writes them with -g1 and above, and the stack nowhere
// else; clang writes them with -gline-tables-only (its -g1) and -g. In the program's data, addresses are indices of
// instructions, and so are ranges.
#pragma once

#include "mca-core/assembly/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// A call that the compiler inlined.
struct CallSite {
  uint32_t file = 0; ///< the number of its `.file`
  uint32_t line = 0; ///< 1-based, 0 if unknown
  uint32_t column = 0;
};

/// The inlined calls around each instruction, as a tree: calls share those around them.
class InlineScopes {
public:
  static constexpr uint32_t kNone = ~0u;

  struct Scope {
    CallSite call;
    uint32_t parent = kNone;   ///< the call around it, which comes earlier in scopes()
    uint32_t function = kNone; ///< the inlined function, for nameOf()
  };

  /// Prefixes of the sections to keep (ParseOptions::keepData) for read().
  static std::vector<std::string> sections();
  /// Reads the program's DWARF 2 to 5. Empty if it has none, or none that can be read.
  static InlineScopes read(const mca::Program &program);

  std::span<const Scope> scopes() const { return scopes_; }
  /// The innermost scope of the instruction; kNone if it is in no inlined call.
  uint32_t scopeOf(uint32_t instruction) const { return instruction < scopeOf_.size() ? scopeOf_[instruction] : kNone; }
  /// The name of the inlined function, without its class and arguments; empty if unknown.
  std::string_view nameOf(const Scope &scope) const {
    return scope.function == kNone ? std::string_view() : names_[scope.function];
  }

private:
  friend class ScopeReader;

  std::vector<Scope> scopes_;
  std::vector<uint32_t> scopeOf_; // by instruction; empty if there are no scopes
  std::vector<std::string> names_;
};

} // namespace analysis

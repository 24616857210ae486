// The loop statements of C and C++ source: where each `for`, `while` and `do` stands and how far it reaches.
//
// Read from the text by clang's lexer alone, so that it costs nothing beside a compile and works for every compiler's
// output. Macros are not expanded: one that this file defines with a loop in it, or one whose name sounds like a loop
// (`list_for_each(…) {`), counts as a loop statement at its use. So does a label, up to the last `goto` of its function
// back to it. Of `#if … #else … #endif` inside a statement the first branch decides its end. No statement reaches
// beyond the function that it stands in.
#pragma once

#include "analysis/regions/function_extents.h"
#include "analysis/regions/source_tokens.h"
#include "analysis/wire/messages.h"

namespace analysis {

struct LoopStatement {
  uint32_t keyword = 0;   ///< offset of the `for`, `while` or `do`, or of the macro's or the label's name
  uint32_t headEnd = 0;   ///< after the parenthesis that closes the head; the keyword's begin for `do` and macros
  wire::ByteRange extent; ///< from the keyword, or the pragmas just above it, to the end of the body
  /// Whether it is a label, and a `goto` back to it makes the loop.
  bool isLabel = false;
};

class LoopStatements {
public:
  /// `source` must be followed by a NUL byte.
  LoopStatements(std::string_view source, wire::Language language);

  /// The innermost statement that holds the offset; null when there is none.
  const LoopStatement *around(uint32_t offset) const { return statements_.around(offset); }
  /// The innermost statement that holds this one.
  const LoopStatement *around(const LoopStatement &statement) const { return statements_.around(statement); }
  /// In the order of their extents' begins.
  const std::vector<LoopStatement> &all() const { return statements_.all(); }
  const FunctionExtents &functions() const { return functions_; }
  /// In the order of the text.
  const std::vector<IncludeLine> &includes() const { return includes_; }

private:
  NestedExtents<LoopStatement> statements_;
  FunctionExtents functions_;
  std::vector<IncludeLine> includes_;
};

} // namespace analysis

// The loop statements of C and C++ source: where each `for`, `while` and `do` stands and how far it reaches.
//
// Read from the text by clang's lexer alone, so that it costs nothing beside a compile and works for every compiler's
// output. What the preprocessor hides is met halfway: a macro that this file defines with a loop in it, or one that is
// called like a loop (`list_for_each(…) {`), counts as a loop statement at its use; of `#if … #else … #endif` inside a
// statement the first branch tells its end.
#pragma once

#include "analysis/wire/messages.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace analysis {

struct LoopStatement {
  wire::ByteRange extent; ///< from the keyword, or the macro's name, to the end of the body
};

class LoopStatements {
public:
  LoopStatements(std::string_view source, wire::Language language);

  /// The innermost statement that holds the offset; null when there is none.
  const LoopStatement *around(uint32_t offset) const;
  /// The innermost statement that holds this one.
  const LoopStatement *around(const LoopStatement &statement) const;
  const std::vector<LoopStatement> &all() const { return statements_; }

private:
  std::vector<LoopStatement> statements_; // by their begin
  std::vector<uint32_t> parents_;         // indices in statements_
};

} // namespace analysis

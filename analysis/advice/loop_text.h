// A loop's source, and the edits that change how a compiler may treat it.
//
// Everything is read from the words of the text; no type is known. An edit that makes no sense to the compiler fails to
// compile, and is dropped then. What would compile and mean something else must not be made: a member that the loop
// writes is no constant of it. No edit adds a line, so that each loop stays on its line.
#pragma once

#include "analysis/regions/loop_statements.h"
#include "analysis/regions/source_tokens.h"
#include "analysis/wire/advice.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

using Edits = std::vector<wire::Edit>;

class LoopText {
public:
  /// `source` must be followed by a NUL byte. It and `statement`, which is one of its loops, outlive this. Without a
  /// statement, as for a loop of a header at its call, nothing of the loop can be edited.
  LoopText(std::string_view source, wire::Language language, const LoopStatement *statement,
           const FunctionExtents &functions);

  /// Why the loop has no edits; No if it has.
  wire::SourceKept kept() const;

  // Edits; empty if there is nothing to change.
  /// The pragma, `clang loop vectorize(enable)`, before the loop.
  Edits pragmaBefore(std::string_view pragma) const;
  /// The pragma at the begin of the loop's body.
  Edits pragmaInBody(std::string_view pragma) const;
  /// Copies what the loop reads through pointers and members, and does not write by these names, to locals before it;
  /// in C++ also `v.size()`, and the data of a vector with that.
  Edits copyToLocals() const;
  /// `__restrict` on each pointer that is a parameter of the loop's function; empty if there are fewer than two
  /// pointers.
  Edits restrictParameters() const;
  /// A counter of an unsigned type of at most 32 bits gets the type `long`.
  Edits signedCounter() const;
  /// The suffix f for each floating-point literal that has none.
  Edits floatLiterals() const;
  /// Each condition of an `if` in the body inside of a call: `__builtin_unpredictable(CONDITION)`.
  Edits conditionsIn(std::string_view opening, std::string_view closing) const;
  /// The assumption that the loop's bound is a multiple of `factor`.
  Edits assumeMultiple(unsigned factor) const;
  /// `__attribute__((always_inline))` on the functions of this text that have these names.
  Edits inlineFunctions(const std::vector<std::string> &names) const;

  /// The iterations, from the numbers of the head; 0 if they are not there.
  uint64_t tripCount() const;
  /// Whether it calls one of C's mathematical functions, by name.
  bool callsMath() const;
  /// Whether it has an `if`, or `? :`.
  bool hasCondition() const;

private:
  struct Chain;

  llvm::StringRef textAt(size_t token) const { return tokens_.text(token); }
  size_t firstToken(uint32_t offset) const;
  std::vector<Chain> readChains() const;
  bool isWritten(size_t first, size_t after) const;
  bool declares(llvm::StringRef name) const;
  bool isResized(const Chain &size, const std::vector<Chain> &all) const;
  std::string freshName(std::string_view base) const;
  std::optional<size_t> bodyBegin() const;
  Edits around(std::string before) const;

  std::string_view source_;
  wire::Language language_;
  const LoopStatement *statement_;
  const FunctionExtents &functions_;
  SourceTokens tokens_;
  size_t begin_ = 0; ///< tokens of the statement, half-open
  size_t end_ = 0;
  bool isPlain_ = false;
};

} // namespace analysis

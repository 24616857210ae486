// Statements about memory, in comments of their own: `# mca: alias rdi,rsi` and `# mca: distinct rdi,rsi` are about
// pointers, `# mca: same-operands` is about loads and stores with one operand (model/memory_operands.h).
//
// They say whether what is loaded through a pointer may have been stored through another one, where llvm-mca has one
// answer for all loads and stores (-noalias). docs/memory-aliasing.md explains them to users; model/memory_classes.h
// follows the pointers through the code.
#pragma once

#include "mca-core/target/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

struct ProgramContents;

struct PointerStatement {
  enum class About : uint8_t { Pointers, Operands };
  About about = About::Pointers;
  bool meet = true;               ///< `alias` and `same-operands`; false for `distinct`
  std::vector<std::string> names; ///< of registers, as written, without `%`
  uint32_t begin = 0;             ///< offset of the word `alias` or `distinct`
  uint32_t end = 0;               ///< of the last name
  /// The instructions that it holds for, half-open. Of these that contain the statement's next instruction, the
  /// smallest: a marked region around the statement, the code from the target of a backward branch to that branch, the
  /// function, the text.
  uint32_t firstInstruction = 0;
  uint32_t endInstruction = 0;
  bool isNamed = false; ///< it is not in the text, see Program::setNamedStatements()
  bool isBeyond =
      false; ///< the first of its kind beyond the most of a text: it holds for nothing, nor do those after it

  bool holdsFor(uint32_t instruction) const { return instruction >= firstInstruction && instruction < endInstruction; }
};

/// The most of a kind in a text that have an effect. People write those about pointers, each of which follows them
/// through the code; programs write those about operands, one for each region of a listing.
constexpr size_t mostStatements(PointerStatement::About about) {
  return about == PointerStatement::About::Pointers ? 100 : 10'000;
}

/// The words that begin the statements.
constexpr std::string_view kAlias = "alias", kDistinct = "distinct", kSameOperands = "same-operands";

inline bool isAboutOperands(const PointerStatement *statement) {
  return statement->about == PointerStatement::About::Operands;
}
inline bool isAboutPointers(const PointerStatement *statement) {
  return statement->about == PointerStatement::About::Pointers;
}

/// Reads the text of a comment, which begins at `offset`; nothing if it is no such statement. The names may be missing.
std::optional<PointerStatement> readPointerStatement(std::string_view comment, uint32_t offset);

/// The statement as its comment has it: "alias rdi, rsi".
std::string textOf(const PointerStatement &statement);

/// Finds the instructions that each statement holds for. For complete programs.
void placePointerStatements(ProgramContents &program, const Target &target);

} // namespace mca

// Other spellings for LLVM's parser: it reads an edited copy of a text, and every place is one of the text itself.
//
// A program of a text that was rewritten has the text as it was written, so that nobody who asks for a place or quotes
// a line sees the rewriting.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

struct ProgramContents;

/// A part of a text, and what LLVM's parser reads in its place.
struct TextEdit {
  uint32_t begin = 0;
  uint32_t length = 0; ///< in bytes; 0 inserts
  std::string text;
};

/// A text as LLVM's parser reads it.
class RewrittenText {
public:
  /// `edits`: ascending, disjoint, of `original`.
  RewrittenText(std::string_view original, std::span<const TextEdit> edits);

  const std::string &text() const { return text_; }
  /// The place in the original text. Of a replaced part: the place at the same distance from its begin, at most its
  /// end.
  uint32_t originalOffset(uint32_t offset) const;

private:
  /// A replaced part whose length changed.
  struct Change {
    uint32_t begin, length;                 ///< in the rewritten text
    uint32_t originalBegin, originalLength; ///< in the original
  };
  std::string text_;
  std::vector<Change> changes_;
};

/// Moves all places of a program that was parsed from a rewritten text to the original text.
void placeInOriginal(ProgramContents &program, const RewrittenText &rewritten);

} // namespace mca

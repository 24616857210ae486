// What readers of recordings have in common: lines, numbers, and the places of errors.
//
// Readers split a line into pieces that still point into it, so the column of an error is the distance of a piece from
// the start of the line.
#pragma once

#include "analysis/import/branch_records.h"
#include "mca-core/trace/trace_lexer.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cassert>

namespace analysis {

/// What separates the words of a line.
inline constexpr llvm::StringLiteral kBlanks = " \t";

/// Takes the next word off the front of a text; empty at its end.
inline llvm::StringRef takeWord(llvm::StringRef &text) {
  text = text.ltrim(kBlanks);
  const llvm::StringRef word = text.take_front(text.find_first_of(kBlanks));
  text = text.drop_front(word.size());
  return word;
}

/// Takes the last word off the end of a text; empty at its start.
inline llvm::StringRef takeLastWord(llvm::StringRef &text) {
  text = text.rtrim(kBlanks);
  const llvm::StringRef word = text.drop_front(text.find_last_of(kBlanks) + 1);
  text = text.drop_back(word.size());
  return word;
}

/// A hexadecimal number with or without `0x`, and nothing else. Empty if it isn't one or does not fit in 64 bits.
inline std::optional<uint64_t> parseHex(llvm::StringRef text) {
  text.consume_front("0x");
  uint64_t number = 0;
  return text.getAsInteger(16, number) ? std::nullopt : std::optional(number);
}

/// A decimal number, or a hexadecimal one with `0x`.
inline std::optional<uint64_t> parseNumber(llvm::StringRef text) {
  if (text.starts_with("0x"))
    return parseHex(text);
  uint64_t number = 0;
  return text.getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

/// Whether an address belongs to the recorded program. The kernel has the upper half of the address space, and tools
/// write 0 or -1 for what they do not know.
inline bool isUserAddress(uint64_t address) {
  return address != 0 && address >> 63 == 0;
}

/// The line that a reader of a text is at, and errors in it.
class LineOfText {
public:
  /// Goes on to the next line, without the carriage return of DOS.
  void enter(std::string_view line) {
    ++number_;
    line_ = llvm::StringRef(line).rtrim("\r");
  }
  llvm::StringRef text() const { return line_; }
  uint64_t number() const { return number_; } ///< 1-based

  /// An error at the start of `place`, which must point into the line. What StringRef::split did not find, which points
  /// nowhere, is missing at the end of the line.
  ImportError errorAt(llvm::StringRef place, const llvm::Twine &message) const {
    const char *at = place.data() ? place.begin() : line_.end();
    assert(at >= line_.begin() && at <= line_.end());
    return {number_, static_cast<uint32_t>(at - line_.begin() + 1), message.str()};
  }
  /// The same, with the text found there.
  ImportError unexpected(llvm::StringRef place, llvm::StringRef expected) const {
    return errorAt(place, "expected " + expected + (place.empty() ? "" : ", found " + mca::quoted(place)));
  }
  ImportError errorInLine(const llvm::Twine &message) const { return {number_, 0, message.str()}; }

private:
  uint64_t number_ = 0;
  llvm::StringRef line_;
};

/// An error of the file as a whole.
inline ImportError errorInFile(const llvm::Twine &message) {
  return {0, 0, message.str()};
}

/// Skips empty lines.
class TextReader : public RecordingReader, protected LineOfText {
public:
  std::optional<ImportError> read(std::string_view line, BranchSink &sink) final {
    enter(line);
    return text().trim(kBlanks).empty() ? std::nullopt : readLine(text(), sink);
  }

protected:
  /// Takes a line that is not empty.
  virtual std::optional<ImportError> readLine(llvm::StringRef line, BranchSink &sink) = 0;
};

} // namespace analysis

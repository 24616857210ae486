// What the reader and the writer of calibrations share: lines of words with their columns, names and numbers. Private
// to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mca::calibration {

/// A part of a line.
struct Word {
  std::string_view text;
  uint32_t column = 1; ///< 1-based, in bytes

  /// The part from `from`, at most `length` bytes long.
  Word part(size_t from, size_t length = std::string_view::npos) const {
    return {text.substr(from, length), column + static_cast<uint32_t>(from)};
  }
};

/// The two sides of a separator, or nothing if the word does not have it.
std::optional<std::pair<Word, Word>> splitAt(const Word &word, char separator);
/// The parts between commas.
std::vector<Word> splitList(const Word &word);
/// A word in a message: in backquotes, shortened.
std::string quoted(std::string_view text);

/// Of names: letters, digits and -_.+/
bool isNameCharacter(char c);
/// The shortest text that reads as the same number.
std::string textOf(double number);

/// By RenameTreatment. None is not written.
constexpr std::string_view kTreatmentNames[] = {"", "zero", "breaks-dependency", "eliminated", "immediate"};

struct LineError {
  uint32_t line = 1, column = 1; ///< 1-based; columns in bytes
  std::string message;           ///< without a trailing full stop
};

/// Goes through the lines that have words. A word ends at a blank outside of double quotes; `#` starts a comment where
/// a word could start.
class LineReader {
public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// Goes to the next line with words. False at the end of the text, or after an error: a character that is neither
  /// printable ASCII nor a tab, a quote that is not closed, or a line of more than 64 KiB.
  bool next();

  const std::vector<Word> &words() const { return words_; }
  uint32_t line() const { return line_; }
  const std::optional<LineError> &error() const { return error_; }

private:
  bool split(std::string_view line);

  std::string_view rest_;
  uint32_t line_ = 0; ///< of words(), or the last one of the text
  std::vector<Word> words_;
  std::optional<LineError> error_;
};

} // namespace mca::calibration

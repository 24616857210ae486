// Maps a preprocessor's output back to the buffer.
//
// The preprocessor's line markers (`# 12 "file"`) map lines. The text of an included file belongs to the buffer's line
// with the #include, also if it was included indirectly: that is the line that the user wrote. Within a line, columns
// are mapped if only blanks differ, as is the case without macros.
#pragma once

#include "analysis/source_map/text_lines.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace analysis {

class Preprocessed {
public:
  /// `text` is the output of a preprocessor that ran in `directory` on the file `path`, and `buffer` that file's text.
  /// Both must outlive this.
  Preprocessed(std::string_view text, const TextLines &buffer, const std::string &path, const std::string &directory);

  /// The place in the buffer that the text at `offset` comes from. Its line is 0 if it comes from no line of the
  /// buffer, its column if a macro was expanded in the line.
  SourcePlace placeOf(uint32_t offset) const;
  /// The corresponding range. An end without a known column becomes the end of its line's content.
  wire::ByteRange inBuffer(wire::ByteRange range) const;
  uint32_t inBuffer(uint32_t offset) const { return inBuffer({offset, offset}).begin; }

  /// The files that lines of the text come from, by absolute names.
  const std::vector<std::string> &files() const { return files_; }
  /// The files around the text at all of these offsets, as indices of files(): the innermost that holds all of it, the
  /// one that includes that one, and so on.
  std::vector<uint32_t> filesAround(std::span<const uint32_t> offsets) const;
  /// Whether the file is the buffer's.
  bool isBuffer(uint32_t file) const { return isBuffer_[file]; }

private:
  /// A file as it was included at one place.
  struct Inclusion {
    uint32_t file = 0;
    uint32_t parent = kNone; ///< the inclusion around it; kNone for the compiled file
    uint32_t depth = 0;
  };
  static constexpr uint32_t kNone = ~0u;

  /// The inclusion that is current after the marker.
  uint32_t follow(uint32_t current, uint32_t file, bool enters, bool returns);
  uint32_t commonOf(uint32_t a, uint32_t b) const;

  const TextLines *buffer_;
  TextLines text_;
  std::vector<uint32_t> bufferLines_; // of each line of the text, 1-based; 0: none
  std::vector<uint32_t> inclusionOf_; // of each line of the text
  std::vector<Inclusion> inclusions_;
  std::vector<std::string> files_;
  std::vector<bool> isBuffer_;
};

/// The file that the line of a preprocessor's output at `offset` comes from, as the line marker before it has it; empty
/// if there is none.
std::string preprocessedFileAt(std::string_view text, uint32_t offset);

} // namespace analysis

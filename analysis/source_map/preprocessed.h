// Maps a preprocessor's output back to the buffer.
//
// The preprocessor's line markers (`# 12 "file"`) map lines. The text of an included file belongs to the buffer's line
// with the #include, also if it was included indirectly: that is the line that the user wrote. Within a line, columns
// are mapped if only blanks differ, as is the case without macros.
#pragma once

#include "analysis/source_map/text_lines.h"

#include <string>
#include <vector>

namespace analysis {

class Preprocessed {
public:
  /// `text` is the output of a preprocessor that ran in `directory` on the file `path`, and `buffer` that file's text.
  /// Both must outlive this.
  Preprocessed(std::string_view text, const TextLines &buffer, const std::string &path, const std::string &directory);

  struct Place {
    uint32_t line = 0;   ///< of the buffer, 1-based; 0 if the text comes from no line of it
    uint32_t column = 0; ///< 1-based, in bytes; 0 if a macro was expanded in the line
  };
  Place placeOf(uint32_t offset) const;
  /// The corresponding range. An end without a known column becomes the end of its line's content.
  wire::ByteRange inBuffer(wire::ByteRange range) const;
  uint32_t inBuffer(uint32_t offset) const { return inBuffer({offset, offset}).begin; }

private:
  const TextLines *buffer_;
  TextLines text_;
  std::vector<uint32_t> bufferLines_; // of each line of the text, 1-based; 0: none
};

} // namespace analysis

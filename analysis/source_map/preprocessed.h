// Where in the buffer the text of a preprocessor comes from.
//
// The preprocessor's line markers (`# 12 "file"`) say it line by line. What an included file holds belongs to the line
// that includes it, as far as the buffer's own: the line that the user wrote. Within a line, places are kept where only
// white space has changed, which is all that a line without macros sees.
#pragma once

#include "analysis/source_map/text_lines.h"

#include <string>
#include <vector>

namespace analysis {

class Preprocessed {
public:
  /// `text` is what a preprocessor that ran in `directory` made of the file `path`, whose text `buffer` has; both texts
  /// outlive this.
  Preprocessed(std::string_view text, const TextLines &buffer, const std::string &path, const std::string &directory);

  struct Place {
    uint32_t line = 0;   ///< of the buffer, 1-based; 0 when what is there was not made of any
    uint32_t column = 0; ///< 1-based, in bytes; 0 where a macro was expanded
  };
  Place placeOf(uint32_t offset) const;
  /// The line's content where the place is not known more exactly.
  wire::ByteRange inBuffer(wire::ByteRange range) const;
  uint32_t inBuffer(uint32_t offset) const { return inBuffer({offset, offset}).begin; }

private:
  const TextLines *buffer_;
  TextLines text_;
  std::vector<uint32_t> bufferLines_; // of each line of the text, 1-based; 0: none
};

} // namespace analysis

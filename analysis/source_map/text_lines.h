// Lines of a text by byte offset. Lines end with \n, \r\n or \r, as in LSP 3.17.
#pragma once

#include "analysis/wire/messages.h"

#include <string_view>
#include <vector>

namespace analysis {

/// A place in a text; line and column (in bytes) are 1-based, and 0 if unknown.
struct SourcePlace {
  uint32_t line = 0;
  uint32_t column = 0;
};

class TextLines {
public:
  /// `text` must outlive this.
  explicit TextLines(std::string_view text);

  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }
  /// 0-based line that holds the offset.
  uint32_t lineOf(uint32_t offset) const;
  /// The same, faster if it is the line `near` or one of the next few.
  uint32_t lineOf(uint32_t offset, uint32_t near) const;
  /// The line without its end. `line` is 0-based; a line beyond the last one means the last.
  wire::ByteRange range(uint32_t line) const;
  std::string_view lineText(uint32_t line) const;
  /// The line without the blanks around it; empty, at the line's begin, if there is nothing else.
  wire::ByteRange content(uint32_t line) const;
  std::string_view text() const { return text_; }

private:
  std::string_view text_;
  std::vector<uint32_t> starts_;
};

} // namespace analysis

// One document's bytes with an index of its lines, and positions in the three encodings that clients count in.
//
// The index is kept up to date by an edit, not rebuilt: a change costs what moving the bytes behind it costs. A line
// ends at \n, \r\n or a lone \r, as the protocol says. Every position has an offset: one past the end of a line or of
// the text is clamped, and one inside a character means its beginning.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

class Text {
public:
  explicit Text(std::string bytes = {});

  const std::string &bytes() const { return bytes_; }
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }

  /// At least 1: an empty text has one empty line.
  uint32_t lineCount() const { return static_cast<uint32_t>(lineBegins_.size()); }
  /// The zero-based line that holds `offset`; a line's terminator belongs to it. Clamped.
  uint32_t lineOf(uint32_t offset) const;
  uint32_t lineBegin(uint32_t line) const { return lineBegins_[line]; }
  /// The end of the line, before its terminator.
  uint32_t lineEnd(uint32_t line) const;
  std::string_view line(uint32_t line) const;
  /// The line without the white space around it; empty at its start when there is nothing else.
  analysis::wire::ByteRange contentOf(uint32_t line) const;

  protocol::Position positionOf(uint32_t offset, protocol::PositionEncoding encoding) const;
  uint32_t offsetOf(protocol::Position position, protocol::PositionEncoding encoding) const;
  protocol::Range rangeOf(analysis::wire::ByteRange range, protocol::PositionEncoding encoding) const;

  /// Replaces the bytes of `range`, which must lie inside the text.
  void replace(analysis::wire::ByteRange range, std::string_view with);

private:
  bool beginsLine(uint32_t offset) const;
  /// `offset`, or the beginning of the character that it is inside of.
  uint32_t characterBegin(uint32_t offset) const;

  std::string bytes_;
  std::vector<uint32_t> lineBegins_;
};

} // namespace lsp

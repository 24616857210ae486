// One document's bytes with an index of its lines, and positions in the three encodings that clients count in.
//
// An edit updates the index instead of rebuilding it: a keystroke costs as much as moving the bytes after it. A line
// ends at \n, \r\n or a lone \r (LSP 3.17, "Text Documents"). Every position has an offset: one past the end of a line
// or of the text is clamped, and one inside a character means its beginning.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"

namespace lsp {

/// The server keeps what the worker sends in the structs that it arrives in.
namespace wire = analysis::wire;

class Text {
public:
  explicit Text(std::string bytes = {});

  const std::string &bytes() const { return bytes_; }
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }

  /// At least 1: an empty text has one empty line.
  uint32_t lineCount() const { return static_cast<uint32_t>(lineBegins_.size()); }
  /// The zero-based line that holds `offset`, in logarithmic time. A line's terminator belongs to it. An offset past
  /// the end is on the last line.
  uint32_t lineOf(uint32_t offset) const;
  uint32_t lineBegin(uint32_t line) const { return lineBegins_[line]; }
  /// The end of the line, before its terminator.
  uint32_t lineEnd(uint32_t line) const;
  wire::ByteRange rangeOfLine(uint32_t line) const { return {lineBegin(line), lineEnd(line)}; }
  std::string_view line(uint32_t line) const;
  /// The line without the white space around it. Of a blank line, an empty range at its beginning.
  wire::ByteRange contentOf(uint32_t line) const;

  protocol::Position positionOf(uint32_t offset, protocol::PositionEncoding encoding) const;
  uint32_t offsetOf(protocol::Position position, protocol::PositionEncoding encoding) const;
  protocol::Range rangeOf(wire::ByteRange range, protocol::PositionEncoding encoding) const;

  /// Replaces the bytes of `range`, which must lie inside the text.
  void replace(wire::ByteRange range, std::string_view with);

private:
  bool beginsLine(uint32_t offset) const;
  /// `offset`, or the beginning of the character that it is inside of.
  uint32_t characterBegin(uint32_t offset) const;

  std::string bytes_;
  std::vector<uint32_t> lineBegins_;
};

} // namespace lsp

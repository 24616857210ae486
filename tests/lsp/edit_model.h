// A document as the protocol describes it, done in the plainest way: no index, every question answered by a walk from
// the start of the text. It is what the server's text is held against, and shares no code with it.
#pragma once

#include "lsp/protocol/types.h"

#include <random>
#include <string>
#include <vector>

namespace lsp {

/// A line's bytes, without its terminator.
struct ModelLine {
  size_t begin = 0;
  size_t end = 0;
};

/// The lines of a text, which ends one at \n, \r\n and a lone \r.
std::vector<ModelLine> modelLines(const std::string &text);

/// The offset of a position, clamped to its line and to the beginning of its character. The text is valid UTF-8.
size_t modelOffset(const std::string &text, protocol::Position position, protocol::PositionEncoding encoding);

/// The columns of `line`.
uint32_t modelColumns(const std::string &line, protocol::PositionEncoding encoding);

/// The text after the change.
std::string modelApply(const std::string &text, const protocol::ContentChange &change,
                       protocol::PositionEncoding encoding);

/// Changes that a person, a program or a broken client might make to an assembly text.
class RandomEdits {
public:
  explicit RandomEdits(uint32_t seed) : random_(seed) {}

  /// A text of some loops.
  std::string text();
  /// The changes of one notification; each is meant for the text that the one before leaves.
  std::vector<protocol::ContentChange> notification(const std::string &text, protocol::PositionEncoding encoding);

private:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  std::string snippet();
  protocol::Position position(const std::string &text, protocol::PositionEncoding encoding);
  protocol::ContentChange change(const std::string &text, protocol::PositionEncoding encoding);

  std::mt19937 random_;
};

} // namespace lsp

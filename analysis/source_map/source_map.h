// Which line of the user's buffer each instruction belongs to.
//
// In an assembly buffer that is its own line. In a C or C++ buffer each instruction has a stack of frames: its own
// place, the call that was inlined there, and so on outwards. clang prints the stack in the comment after `.loc`,
// `file:line:col @[ file:line:col @[ … ] ]`; other compilers write it as DWARF. Frames are nodes of one tree: two
// instructions were inlined through the same calls if and only if their frames have the same caller.
//
// In optimized C++ most frames are in a library's header. An instruction belongs to its outermost frame in the buffer,
// which is the call that the user wrote. Without such a frame it belongs to no line.
#pragma once

#include "analysis/source_map/preprocessed.h"
#include "analysis/source_map/text_lines.h"
#include "mca-core/assembly/program.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace analysis {

class InlineScopes;

/// One frame of an inline stack.
struct Frame {
  uint32_t file = 0;     ///< an index for SourceMap::fileName()
  uint32_t line = 0;     ///< the compiler's number, 1-based; 0 is none
  uint32_t column = 0;   ///< 1-based, 0 is unknown
  uint32_t caller = ~0u; ///< the frame whose call was inlined here; ~0 for the function itself
  SourcePlace inBuffer;  ///< line 0 if it is not in the buffer
  uint32_t depth = 0;    ///< number of callers
};

class SourceMap {
public:
  static constexpr uint32_t kNoFrame = ~0u;

  /// The buffer is the assembly text itself, or the input of the preprocessor that printed it.
  static SourceMap ofAssembly(const mca::Program &program, const TextLines &lines,
                              std::optional<Preprocessed> preprocessed = std::nullopt);
  /// The buffer is the file `path`, which a compiler that ran in `directory` turned into `program`. `scopes` are the
  /// inlined calls for instructions without a stack in a comment.
  static SourceMap ofSource(const mca::Program &program, const TextLines &lines, const std::string &path,
                            const std::string &directory, const InlineScopes &scopes);

  /// No value if the instruction belongs to no line of the buffer.
  std::optional<SourcePlace> placeOf(uint32_t instruction) const;
  /// Of one of the program's unread lines; line 0 if it belongs to no line of the buffer.
  SourcePlace placeOfUnread(uint32_t unreadLine) const { return unreadPlaces_[unreadLine]; }
  const TextLines &lines() const { return *lines_; }
  /// Maps a range of an assembly program's text to the buffer.
  wire::ByteRange inBuffer(wire::ByteRange range) const {
    return preprocessed_ ? preprocessed_->inBuffer(range) : range;
  }
  uint32_t inBuffer(uint32_t offset) const { return preprocessed_ ? preprocessed_->inBuffer(offset) : offset; }
  /// The preprocessor's output that the program was read from; null if it was another text.
  const Preprocessed *preprocessed() const { return preprocessed_ ? &*preprocessed_ : nullptr; }

  /// The innermost frame of an instruction; kNoFrame if it has none, as always in an assembly buffer.
  uint32_t frameOf(uint32_t instruction) const { return frameOf_.empty() ? kNoFrame : frameOf_[instruction]; }
  const Frame &frame(uint32_t index) const { return frames_[index]; }
  uint32_t fileCount() const { return static_cast<uint32_t>(files_.size()); }
  /// The outermost frame of an instruction, which must have one: the place in its own function.
  const Frame &outermost(uint32_t instruction) const;
  /// Whether the function that begins with the instruction is in another file than the buffer. gcc's DWARF does not
  /// have every inlined call, so that a line of the buffer does not prove that the function is there.
  bool isOfOtherFile(uint32_t functionStart) const;
  /// An absolute path without "." and "..".
  const std::string &fileName(uint32_t file) const { return files_[file]; }
  /// The offset of a place in the buffer, in bytes.
  uint32_t offsetOf(SourcePlace place) const;

private:
  explicit SourceMap(const TextLines &lines) : lines_(&lines) {}

  const TextLines *lines_;
  std::optional<Preprocessed> preprocessed_;
  std::vector<SourcePlace> places_; // line 0: none
  std::vector<SourcePlace> unreadPlaces_;
  std::vector<uint32_t> frameOf_; // by instruction
  std::vector<Frame> frames_;
  std::vector<std::string> files_;
};

} // namespace analysis

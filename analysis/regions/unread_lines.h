// Which regions lack instructions because lines of them could not be read.
//
// An unread line is between two instructions, and between the labels there. A loop's path goes through it if
// control falls through from the instruction before it, or jumps to a label before it. A text that is simulated from
// its first to its last line has all lines between, and those of the same function around them. Lines of a source have
// no range in the assembly: the source map says of which line of the source an unread line was made.
#pragma once

#include "analysis/regions/region.h"

#include "llvm/ADT/DenseMap.h"

namespace analysis {

class UnreadLines {
public:
  /// Refers to its arguments. `compiled`: the buffer is source, and the assembly a compiler's.
  UnreadLines(const mca::ControlFlow &code, const SourceMap &map, bool compiled);

  /// The number of unread lines in a region.
  uint32_t countIn(const Region &region) const;

private:
  /// An unread line between the instructions of its section.
  struct Line {
    uint32_t label = 0;             ///< the labels with smaller indices stand before it
    uint32_t previous = mca::kNone; ///< instructions; kNone if there is none
    uint32_t next = mca::kNone;
    bool isNamedBefore = false; ///< the name of a function is between `previous` and it
    bool isNamedAfter = false;  ///< or between it and `next`
  };
  using Instructions = std::vector<uint32_t>;
  using Lines = llvm::ArrayRef<Line>;

  Lines before(uint32_t instruction) const;
  void findNeighbours();
  uint32_t countOnWay(uint32_t from, uint32_t to) const;
  uint32_t countOnPath(const Instructions &path) const;
  uint32_t countInBlocks(const Instructions &blocks) const;
  uint32_t countInText(const Instructions &text) const;
  uint32_t countInLines(wire::ByteRange at) const;
  uint32_t countInSource(const Region &region) const;
  bool isNextInSection(uint32_t from, uint32_t to) const;

  const mca::ProgramBranches &branches_;
  const mca::Program &program_;
  const SourceMap &map_;
  const bool compiled_;
  std::vector<Line> inOrder_;                               // as the program has them
  std::vector<Line> lines_;                                 // ascending by `next`, then by `label`
  std::vector<uint32_t> offsets_;                           // in the buffer of assembly, ascending
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> labels_; // indices in the program's labels
};

/// Adds to each region the caveat that lines of it could not be read, with their number.
void addUnreadLines(const mca::ControlFlow &code, const SourceMap &map, bool compiled, std::vector<Region> &regions);

} // namespace analysis

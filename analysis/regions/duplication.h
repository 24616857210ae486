// How many copies of a loop's own code clang put into one iteration of the machine code, by its own account.
//
// For a profiler, which counts each copy of an instruction, clang's unrollers and vectorizers multiply a duplication
// factor into the discriminator of the source location that they copy: by the copies of an unrolled loop, by the
// elements of a vector times the vectors side by side (`DILocation::cloneByMultiplyingDuplicationFactor`, the encoding
// is in LLVM's DebugInfoMetadata.h). The factor of what stands in the statement itself, in no loop within it, is
// therefore the iterations of the source that one iteration of the machine code does, times the copies that were made
// of the loop as a whole, with one around it.
#pragma once

#include "analysis/regions/loop_place.h"
#include "analysis/regions/region.h"

namespace analysis {

/// Looks statements up by an instruction's frames.
class StatementsByFrame {
public:
  StatementsByFrame(const SourceMap &map, const LoopStatements &buffer, SourceFiles &files)
      : map_(map), buffer_(buffer), files_(files) {}

  /// Whether the frame lies in the statement of this place, and in no loop statement within it.
  bool isDirectlyIn(uint32_t frame, const LoopPlace &place);
  /// The heads of the loop statements around that of the place, those around the calls that it was inlined through
  /// included.
  std::vector<CodeLines> around(uint32_t frame, const LoopPlace &place);

private:
  struct Found {
    const LoopStatements *statements = nullptr;
    const LoopStatement *innermost = nullptr;
  };
  Found find(uint32_t frame);
  CodeLines headOf(uint32_t frame, const LoopStatement &statement);
  bool isOfPlace(uint32_t frame, const LoopStatement &statement, const LoopPlace &place);

  const SourceMap &map_;
  const LoopStatements &buffer_;
  SourceFiles &files_;
};

/// Sets what is known of a loop at this place by its own code: the call that it was inlined through, the loops around
/// it and, where the line directives have it, its `duplication`.
void readOwnCode(const Loop &loop, const mca::Program &program, const SourceMap &map, const LoopPlace &place,
                 StatementsByFrame &statements, bool tellsDuplication, Region &region);

} // namespace analysis

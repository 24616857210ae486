// Where in C or C++ source a loop of machine code belongs.
//
// The loop is in the function that was inlined through the calls which all of its instructions have in common. If that
// function stands in the buffer, the loop belongs to the statement around its instructions, `for`, `while` or `do`.
// Otherwise it came in with a call that the user wrote, `std::sort(…)`, and belongs there. One that has neither is a
// header's own.
#pragma once

#include "analysis/regions/control_flow.h"
#include "analysis/regions/loop_statements.h"
#include "analysis/source_map/source_map.h"

#include <optional>
#include <vector>

namespace analysis {

struct LoopPlace {
  uint32_t anchor = 0;                       ///< offset of the keyword or the call
  wire::ByteRange at;                        ///< whole lines
  uint32_t caller = SourceMap::kNoFrame;     ///< the call through which the loop's function was inlined
  bool atCall = false;                       ///< the loop stands in another file; the anchor is the call
  uint32_t file = 0;                         ///< SourceMap's index of the file that holds the loop's head …
  uint32_t firstLine = 0;                    ///< … among these lines, as the compiler counts them, both included
  uint32_t lastLine = 0;
};

/// No value when it belongs to no line of the buffer.
std::optional<LoopPlace> placeLoop(const Loop &loop, const SourceMap &map, const LoopStatements &statements);

/// The line of an instruction of a loop there, 1-based; 0 when it has none.
uint32_t lineInLoop(const SourceMap &map, const LoopPlace &place, uint32_t instruction);

} // namespace analysis

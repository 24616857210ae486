// From a place in the text to the instructions of the regions there.
//
// A line may belong to several regions: a marked one around a loop, the paths through a loop, a vector body and its
// remainder. What is shown of the line must be of one of them, as the same instruction has other numbers in each. The
// innermost is chosen; of those the path that the compiler expects most often, then the loop that does most iterations
// of the source at once, then the one with most instructions.
#pragma once

#include "lsp/workspace/document.h"

#include <map>

namespace lsp {

/// An instruction of a region.
struct InstructionPlace {
  const AnalysedRegion *region = nullptr;
  uint32_t position = 0; ///< in the simulation's body

  const wire::InstructionDetails &details() const { return region->simulation->body[position]; }
  wire::ByteRange at() const { return region->region.places[position]; }
};

/// Instructions of one region, by ascending positions in its body.
using LineInstructions = std::vector<InstructionPlace>;

/// The instructions that begin on each of the lines from `first` to `last`, both included, by zero-based line.
std::map<uint32_t, LineInstructions> instructionsByLine(const Document &document, uint32_t first, uint32_t last);

/// The instructions of one line. Empty if no region has any there.
LineInstructions instructionsOn(const Document &document, uint32_t line);

/// Of the instructions on the line that holds `offset` the one whose text does, else the first. Empty in C and C++,
/// where an instruction has no text of its own.
std::optional<InstructionPlace> instructionAt(const Document &document, uint32_t offset);

/// Of all instructions together.
size_t microOpsOf(const LineInstructions &instructions);

/// The order of the text, for places as keys.
struct PlaceOrder {
  bool operator()(wire::ByteRange a, wire::ByteRange b) const {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  }
};

} // namespace lsp

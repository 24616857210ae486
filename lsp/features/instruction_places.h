// From a place in the text to the instructions of the regions there.
//
// A line may belong to several regions: a marked one around a loop, the paths through a loop, a vector body and its
// remainder. One of them speaks for the line: the innermost; of those, the path that the compiler expects most often,
// then the loop that does most iterations of the source at once, then the one of most instructions.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/document.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lsp::features {

/// Instructions of one region, by their positions in its body, ascending.
struct LineInstructions {
  const AnalysedRegion *region = nullptr;
  std::vector<uint32_t> positions;

  const analysis::wire::InstructionDetails &at(size_t i) const { return region->simulation->body[positions[i]]; }
};

/// An instruction of a region.
struct InstructionPlace {
  const AnalysedRegion *region = nullptr;
  uint32_t position = 0; ///< in the simulation's body

  const analysis::wire::InstructionDetails &details() const { return region->simulation->body[position]; }
  analysis::wire::ByteRange at() const { return region->region.places[position]; }
};

/// The instructions that begin on each of the lines from `first` to `last`, both included, by zero-based line.
std::map<uint32_t, LineInstructions> instructionsByLine(const Document &document, uint32_t first, uint32_t last);

/// Those of one line; no region when there are none.
LineInstructions instructionsOn(const Document &document, uint32_t line);

/// Of the instructions on the line that holds `offset` the one whose text does, else the first of them. Nothing in C
/// and C++, where an instruction is a line's.
std::optional<InstructionPlace> instructionAt(const Document &document, uint32_t offset);

/// The 1-based line of an instruction; 0 when it has no place.
uint32_t lineNumber(const InstructionPlace &place, const Text &text);

} // namespace lsp::features

// The blocks that `mca-measure check` judges a calibration by.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/measure/region_code.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mca::measure {

/// How many blocks there are.
size_t checkBlockCount();
/// All of them in an order that the seed decides; instructions are separated by semicolons.
std::vector<std::string> drawCheckBlocks(uint64_t seed);

/// A block, and the same block closed by a loop. Its address stays the same.
struct CheckBlock {
  /// Nothing if this CPU lacks one of the instructions, or if no register is left for the loop's counter. `memory`: as
  /// CodeRunner has it.
  static std::unique_ptr<CheckBlock> create(const Target &target, const std::string &text, MeasureMemory memory);

  std::unique_ptr<Program> program, loop;
  std::optional<ProgramBranches> branches; ///< of `program`
  std::vector<uint32_t> instructions, loopInstructions;
};

} // namespace mca::measure

// Finds the branches of a function whose code differs in the program, by its block address map.
//
// With `-fbasic-block-address-map`, clang writes down where each basic block of a function lies, in the text as well as
// in the program. If both have the same blocks, and each of them the same branches to the same blocks, counts of
// branches belong together even if other instructions differ, as after a change of flags.
#pragma once

#include "analysis/import/assembled_text.h"
#include "analysis/import/program_image.h"
#include "mca-core/program/branches.h"

#include <optional>
#include <vector>

namespace analysis {

/// The addresses of a function's instructions, in the order of the text: those of its branches, of what follows them
/// and of the starts of its blocks; Placement::kNoAddress for others. Nothing if the maps are missing or do not agree,
/// and then `why` says so.
std::optional<std::vector<uint64_t>> findByBlocks(const std::vector<uint32_t> &instructions,
                                                  const mca::ProgramBranches &branches, const AssembledText &text,
                                                  const ProgramImage &image, const ProgramFunction &function,
                                                  std::string &why);

} // namespace analysis

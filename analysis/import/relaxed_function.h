// Finds the instructions of a function whose code the linker has shortened, as linkers for RISC-V and LoongArch do.
//
// Both codes are decoded side by side. Only an instruction with a relocation may be replaced by another one or be
// missing, and only padding may differ in length. Every branch inside of the function has to go to the same instruction
// in both, so code that differs otherwise does not match.
#pragma once

#include "analysis/import/assembled_text.h"
#include "analysis/import/program_image.h"
#include "mca-core/program/branches.h"

#include <optional>
#include <vector>

namespace analysis {

/// Whether linkers shorten code for this target.
bool isRelaxedByLinkers(const llvm::Triple &triple);

/// The address of each of the instructions, which are a function's in the order of the text. A missing one has that of
/// the next. Nothing if the codes do not match, and then `why` says where.
std::optional<std::vector<uint64_t>> findRelaxed(const std::vector<uint32_t> &instructions,
                                                 const mca::ProgramBranches &branches, const AssembledText &text,
                                                 const ProgramFunction &function, std::string &why);

} // namespace analysis

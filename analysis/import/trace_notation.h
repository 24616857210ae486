// How a trace's text names the places of a program.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/program/branches.h"
#include "mca-core/trace/token_targets.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// A name as a trace's text has it: in quotes if it could be read as something else. A name with a quote or a line's
/// end cannot be written; it is returned as it is, and reading it fails.
std::string quotedName(std::string_view name);

/// The name of each instruction that has a label, by index; empty for the others. A function's name comes before its
/// labels, and those that branches name before those of debug information.
std::vector<std::string> labelNotations(const mca::Program &program, const mca::ProgramBranches &branches);

/// The place of a branch in an `edge`: its label if nothing before it in the block is a branch, otherwise a label and
/// the distance from it (`.L3+0xa`). Empty if no label is before it in its section.
std::string placeNotation(uint32_t branch, const mca::ProgramBranches &branches, const std::vector<std::string> &labels,
                          const mca::SizeOf &sizeOf);

} // namespace analysis

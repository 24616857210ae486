// Names of processor resources, short enough for a hint.
//
// Intel's ports have short names in every manual, so SKLPort5 becomes p5; several together are p0156. A CPU with vector
// ports of their own (LNLPVPort02) has v0 beside p0. Names in other models lose the part that says whose CPU it is, if
// the form of the name shows where it ends: CortexA55UnitALU becomes ALU, Zn4FP0 FP0, VLEN512SiFive7VL VL, P9_ALU ALU.
// Any other name stays as it is: an abbreviation that readers have to guess does not help them.
#pragma once

#include <string>
#include <vector>

namespace lsp::wording {

/// "p5" for "SKLPort5". Two units of one model never get the same name (tests/analysis/unit_names_test.cpp).
std::string shortResourceName(const std::string &name);

/// Of one or several, the most important one first: "p0156", "V0,V1", "LSU and 3 more".
std::string shortResourceNames(const std::vector<std::string> &names);

} // namespace lsp::wording

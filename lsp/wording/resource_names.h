// Names of processor resources that fit a hint.
//
// Intel's ports have short names in every manual: SKLPort5 is p5, several together are p0156, and a CPU with vector
// ports of their own has v0 beside p0. Of the other models' names what says whose CPU it is goes away, where it can be
// told by its form: CortexA55UnitALU becomes ALU, Zn4FP0 FP0, VLEN512SiFive7VL VL, P9_ALU ALU. A name of another form
// stays as it is: an abbreviation that has to be guessed at is none.
#pragma once

#include <string>
#include <vector>

namespace lsp::wording {

/// "p5" of "SKLPort5"; two units of one model never get the same name.
std::string shortResourceName(const std::string &name);

/// Of one or several, the first one being the most important: "p0156", "V0,V1", "LSU and 3 more".
std::string shortResourceNames(const std::vector<std::string> &names);

} // namespace lsp::wording

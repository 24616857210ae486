// Why the compiler did not make more of a loop: its own remarks, joined to the loops of the machine code.
//
// clang names a loop by its function and the place of its keyword, which its branch back has, too; gcc by the condition
// of its exit or its first statement, without the function. Copies that one function inlined of a loop, and with gcc
// all copies, have the same name: only what the compiler says of each of them is said. Remarks of other passes name an
// instruction, which is still in the loop, at the same innermost frame. The instructions decide whether a loop is
// vectorized: one with vectors in any of its versions has no reasons.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/regions/region.h"

#include <string>
#include <vector>

namespace analysis {

/// Sets `whyNot` of the loops among the regions of a C or C++ buffer, the file `path`.
void findReasons(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                 const CompileResult &compiled, const std::string &path, std::vector<Region> &regions);

/// What the compiler reports of the loop statement of the buffer whose keyword is at this offset.
std::vector<wire::LoopFate> fatesOf(uint32_t keyword, const LoopStatements &statements, const TextLines &lines,
                                    const std::vector<LoopRemark> &remarks, const std::string &path);

} // namespace analysis

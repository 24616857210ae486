// How many bytes the code of a program takes.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <functional>

namespace mca {

/// Returns the encoded size of an instruction in bytes.
using SizeOf = std::function<uint32_t(uint32_t instruction)>;

/// Returns the sizes of encoded instructions, or nothing if the backend cannot encode. A branch has its shortest form,
/// as the assembler has not placed its target. Refers to its arguments.
SizeOf encodedSizes(const Target &target, const Program &program);

} // namespace mca

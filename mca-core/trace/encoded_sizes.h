// The sizes of instructions, for labels with offsets (token_targets.h).
#pragma once

#include "mca-core/trace/token_targets.h"

namespace mca {

/// Returns the sizes of encoded instructions, or nothing if the backend cannot encode. A branch has its shortest form,
/// as the assembler has not placed its target. Refers to its arguments.
SizeOf encodedSizes(const Target &target, const Program &program);

} // namespace mca

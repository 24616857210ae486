// What a linked text may call without defining it, as assembly.
#pragma once

#include <cstdint>
#include <string>

namespace mca::measure {

/// Functions of the C library whose results are exact, and `mca.enter`, which makes the call of the CallRecord at r12
/// and then jumps to `left`.
std::string providedFunctions(uint64_t left);

} // namespace mca::measure

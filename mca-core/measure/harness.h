// The code that surrounds measured code: machine code that runs at a fixed address in a process without anything else.
#pragma once

#include <cstdint>
#include <span>

namespace mca::measure {

struct Harness {
  std::span<const uint8_t> code; ///< entered at its first byte, with nothing in registers; never returns
  uint32_t left = 0;             ///< offset of where measured code jumps to after its last instruction
  uint32_t handler = 0;          ///< offset of the signal handler
};

/// The harness for the CPU that this program was compiled for; its code is empty on all but x86-64.
Harness harness();

} // namespace mca::measure

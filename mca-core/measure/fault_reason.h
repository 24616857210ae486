// What the processor or the kernel reported of a code that failed, in words.
#pragma once

#include "mca-core/measure/child.h"
#include "mca-core/measure/code_run.h"

namespace mca::measure {

/// A copy of Control::fault.
struct Fault {
  uint64_t signal = 0, code = 0, address = 0, instruction = 0, trap = 0, error = 0;
  uint64_t systemCall = 0;
};

/// `entry`: where the first byte of `code` is. Any value of `fault` is possible, as the code can write it.
CodeRefusal describeFault(const Fault &fault, std::span<const uint8_t> code, uint64_t entry);

/// Why a child ended while this code ran.
CodeRefusal describeEnd(const ChildEnd &end, const volatile Control &control, std::span<const uint8_t> code,
                        uint64_t entry);

} // namespace mca::measure

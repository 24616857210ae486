// Codes that try to do anything but compute, generated from tables: what nobody would write down one by one.
#pragma once

#include "mca-core/measure/code_run.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hostile {

struct Code {
  std::string name;
  std::vector<uint8_t> bytes;
  bool mustBeRefused = false; ///< otherwise times are right, too
  bool hasZeros = false;      ///< in all registers; otherwise some point to memory
};

struct Address {
  std::string name;
  uint64_t value = 0;
  bool isOwn = false; ///< the child has memory there
};

/// System calls of each number, by `syscall`, `int $0x80` and `sysenter`.
std::vector<Code> systemCalls();
/// Each instruction that LLVM says has effects beyond its operands, and each interrupt.
std::vector<Code> systemInstructions(const mca::Target &target);
/// Reads, writes, jumps, calls and stacks at addresses.
std::vector<Code> accesses(std::span<const Address> addresses);
/// Each opcode byte alone, after 0x0f, and after a lock prefix; floods of prefixes; undefined instructions of each
/// length.
std::vector<Code> opcodeSweep();
/// Flags, segment registers, floating-point control words, extended state.
std::vector<Code> processorState();
/// Codes that do not end.
std::vector<Code> endless();

} // namespace hostile

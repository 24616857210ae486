// Where the pointers of a region are when it begins, as the code before it shows.
//
// How a loop's accesses lie in the lines of the cache depends on where its pointers start. Nobody knows where an array
// begins, but the code before the loop tells how far behind such a place a pointer is: `leaq 8(%rdi), %rax` to read the
// second member of each structure.
#pragma once

#include "mca-core/program/code_blocks.h"

#include "llvm/MC/MCRegister.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// Offsets repeat after this many bytes: no line is longer.
constexpr uint32_t kOffsetPeriod = 4096;

/// By how much a register is more than the value that it was computed from, which the code before does not show: an
/// argument, what a call returned or memory held, or what an iteration of a loop around begins with. A number is more
/// than zero.
struct EntryOffset {
  llvm::MCRegister reg; ///< a whole one
  uint32_t bytes = 0;   ///< above 0, below kOffsetPeriod
  bool operator==(const EntryOffset &) const = default;
};

/// Of the registers that addresses in `code` have, ascending; those that are not known, or 0, are left out. `code`: the
/// instructions of a loop or a region, where control begins with `first`. Only code that control always comes through
/// counts, at most some hundred instructions of it. What is computed otherwise, or from the stack pointer, is unknown.
std::vector<EntryOffset> findEntryOffsets(const ControlFlow &flow, uint32_t first, std::span<const uint32_t> code);

} // namespace mca

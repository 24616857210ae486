// Which stores of a loop a load reads, as far as the addresses show it.
//
// A register is known as one register's value at the begin of the iteration plus a constant; what that register gains
// in an iteration is its step, if it gains a constant. Two accesses can be compared if they add constants to the same
// registers. Others are assumed not to meet, as llvm-mca's -noalias does.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/program/entry_offsets.h"
#include "mca-core/program/x86_instruction.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mca {

/// An instruction's access, as the analysis needs it.
struct KnownAccess {
  uint32_t instruction = 0; ///< position in the region
  MemoryAccess access;
  bool loads = false, stores = false;
};

/// A load and the youngest store before it that wrote some of its bytes.
struct MemoryLink {
  uint32_t load = 0, store = 0; ///< into the accesses
  uint32_t distance = 0;        ///< iterations between them
  bool isContained = false;     ///< the store wrote all bytes of the load
  bool beginsAlike = false;     ///< both begin at the same byte
  bool sameRegisters = false;   ///< base, index, scale and displacement are the same, and no register has changed
};

/// How often an access crosses a line, if it ever does, or would if its pointer began kUnalignedBytes further on.
struct SplitShare {
  uint32_t access = 0;     ///< into the accesses
  double share = 0;        ///< of the iterations, 0 to 1
  double shareFurther = 0; ///< with the pointer further on
};

/// Where an access begins. Two can be compared if they have the same index and scale.
struct KnownPlace {
  uint32_t index = 0; ///< the register's value at the begin of the iteration, as a number; 0: there is none
  int64_t scale = 0;
  int64_t offset = 0, step = 0; ///< bytes: in the first iteration, and by how much it moves in each
};

struct KnownMemory {
  std::vector<MemoryLink> links; ///< at most one for each load
  std::vector<SplitShare> splits;
  /// By access: in which share of the iterations a store is to the block of the store before it. Where an address is
  /// not known, it is.
  std::vector<double> sameBlocks;
  std::vector<std::optional<KnownPlace>> places; ///< by access; nothing if it is not known
};

/// Where data may begin in a line: allocators and compilers align them to 16 bytes.
constexpr uint32_t kUnalignedBytes = 16;

/// The lines of the cache, and what the registers of a region are when it begins: what `offsets` says more than the
/// begin of a line, so those that are not listed begin one.
struct KnownLines {
  uint32_t lineBytes = 64, blockBytes = 64; ///< powers of two, at most kOffsetPeriod
  std::span<const EntryOffset> offsets = {};
  bool unaligned = false; ///< all pointers begin kUnalignedBytes further on
};

/// `region`: the instructions in order.
KnownMemory findKnownMemory(const Target &target, std::span<const Instruction *const> region,
                            std::span<const KnownAccess> accesses, const KnownLines &lines);

} // namespace mca

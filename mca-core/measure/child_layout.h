// The address space of the child: what lies where, as the harness (harness.cpp) and its parent see it.
//
// All addresses are below 2 GiB, so that the harness reaches its variables by absolute addresses when the measured code
// has changed every register. Between the parts lies unmapped space, so that a wild access close to one of them faults.
#pragma once

#include "mca-core/measure/code_run.h"

#include <cstddef>
#include <cstdint>

namespace mca::measure {

inline constexpr size_t kPageSize = 4096;

/// One system call of the child's preparation.
struct PreparationCall {
  int64_t number = -1; ///< -1 ends the list
  uint64_t arguments[5] = {};
};

/// One code, as the harness needs it.
struct CodeDescriptor {
  uint64_t entry = 0;
  uint64_t ticks = 0; ///< address of the first of `repetitions` TimedRepetitions
  uint64_t repetitions = 0;
  uint64_t vectorBits = 128;
  uint64_t memoryFill = 0;
  uint64_t registers[16] = {}; ///< as CodeToRun has them
  uint64_t vectors[16] = {};
};

/// What the harness writes of each repetition, in ticks.
struct TimedRepetition {
  uint64_t code = 0;   ///< 0: not run
  uint64_t canary = 0; ///< the longer of the one before and the one after
};

/// Loads of the canary's loop, and how often it runs: about 2,000 cycles at 3 loads a cycle.
inline constexpr uint32_t kCanaryLoads = 96, kCanaryRounds = 64, kCanaryWarmUp = 4;

/// What the harness reads, followed by the codes. The child can read and execute it, never write it.
struct Image {
  static constexpr size_t kMaxHarness = 4096; ///< bytes of the harness, which comes first
  static constexpr size_t kMaxCodes = 512;
  static constexpr size_t kMaxExtraPages = CodeToRun::kMaxExtraPages;
  static constexpr size_t kCodeBytes = 16 << 20;

  uint8_t harness[kMaxHarness];
  PreparationCall calls[kMaxExtraPages + 8];
  uint8_t filter[128]; ///< of system calls, and what refers to it
  uint64_t codeCount;
  uint64_t hasAvx;
  uint64_t extraPageCount;
  uint64_t extraPages[kMaxExtraPages];
  CodeDescriptor codes[kMaxCodes];
  alignas(kPageSize) uint8_t code[kCodeBytes];
};

/// The variables of the harness and the results: the only memory that parent and child share.
struct Control {
  static constexpr size_t kStackBytes = 64 << 10;
  static constexpr size_t kRepetitions = 32 << 10; ///< of all codes of one child together

  // What the parent reads.
  uint64_t isPrepared; ///< 1 once the child can only compute
  uint64_t failedCall; ///< the negative error of a system call of the preparation
  uint64_t current;    ///< the code that runs, into Image::codes; the number of codes after the last
  struct {
    uint64_t signal, code, address; ///< of siginfo; no signal: 0
    uint64_t instruction;           ///< rip
    uint64_t trap, error;           ///< the processor's exception and its error code
    uint64_t systemCall;            ///< of SIGSYS
  } fault;
  uint64_t note;                    ///< 0 before each repetition; code that is counted writes it
  uint64_t notes[Image::kMaxCodes]; ///< `note` after the last repetition of each code
  // The harness's own.
  uint64_t start, canary, ticksNext, repetitionsLeft, entry, rax, rdx, rbx;
  uint32_t floatingPointControl;
  alignas(64) uint8_t signalStack[kStackBytes];
  alignas(64) uint8_t stack[kStackBytes];
  alignas(64) uint8_t canaryLines[256];
  alignas(kPageSize) TimedRepetition repetitions[kRepetitions];
};

/// Exit statuses of the child other than 0, which is the one after all codes.
inline constexpr int kUnpreparedStatus = 1, kFaultStatus = 2, kStrayFlagsStatus = 3;
/// Flags that a code must leave as it found them: direction, nested task, alignment check.
inline constexpr uint32_t kStrayFlags = 0x400 | 0x4000 | 0x40000;

/// Memory that parent and child share, for arguments and results that are larger than a number. After each cell follow
/// as many bytes without memory, so that an access close to its end faults.
struct SharedCells {
  size_t bytes = 0; ///< of one; a multiple of kPageSize
  size_t count = 0;
  size_t stride() const { return 2 * bytes; }
  uint64_t addressOf(size_t cell) const;
};

inline constexpr uint64_t kImageAddress = 0x1000'0000;
inline constexpr uint64_t kControlAddress = 0x1800'0000;
inline constexpr uint64_t kMemoryAddress = 0x2000'0000;
inline constexpr size_t kMemoryBytes = 1 << 20;
/// Where SharedCells begin.
inline constexpr uint64_t kCellsAddress = 0x3000'0000;
inline constexpr size_t kMaxCellsBytes = 512 << 20; ///< with what is between them
/// The first address that is not the user's (with four-level page tables, as mappings without a hint have it).
inline constexpr uint64_t kAddressEnd = 0x7fff'ffff'f000;

inline uint64_t SharedCells::addressOf(size_t cell) const {
  return kCellsAddress + cell * stride();
}

static_assert(kImageAddress + sizeof(Image) <= kControlAddress);
static_assert(kControlAddress + sizeof(Control) + (64 << 20) <= kMemoryAddress);
static_assert(kMemoryAddress + kMemoryBytes + (64 << 20) <= kCellsAddress);

} // namespace mca::measure

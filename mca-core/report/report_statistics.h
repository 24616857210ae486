// The hardware statistics as plain structs: dispatch, schedulers, retirement, register files.
//
// Meanings and units are llvm-mca 22.1's (its command guide, "Extra Statistics to Further Diagnose Performance
// Issues"). Counts cover the whole simulation.
#pragma once

#include "mca-core/engine/wait_kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mca {

/// The number of cycles in which something happened `count` times.
struct CycleCount {
  uint32_t count = 0;
  uint32_t cycles = 0;
};

/// In ascending order of counts, without empty entries.
using CycleHistogram = std::vector<CycleCount>;

struct DispatchStatistics {
  uint32_t cycles = 0;
  uint32_t stalls[kDispatchStalls] = {}; ///< cycles, by DispatchStall
  CycleHistogram microOps;               ///< dispatched in a cycle
};

struct BufferUsage {
  std::string resource;
  uint32_t size = 0;        ///< entries of the buffer
  uint32_t maxUsed = 0;     ///< entries
  uint64_t sumOfCycles = 0; ///< entries in use, summed over the cycles
};

struct SchedulerStatistics {
  uint32_t cycles = 0;
  CycleHistogram microOps;          ///< issued in a cycle
  std::vector<BufferUsage> buffers; ///< of the resources with a buffer
  bool anyBufferUsed = false;
};

struct RetireStatistics {
  uint32_t cycles = 0;
  CycleHistogram instructions; ///< retired in a cycle
  uint32_t entries = 0;        ///< of the reorder buffer
  uint32_t maxUsed = 0;
  uint32_t sumOfCycles = 0; ///< entries in use, summed over the cycles
};

struct RegisterFileUsage {
  std::string name;               ///< empty for file 0, which stands for all registers
  uint32_t physicalRegisters = 0; ///< 0: unlimited
  uint32_t mappings = 0;          ///< created
  uint32_t maxMappings = 0;       ///< maximum in use at the same time
  uint32_t optimizableMoves = 0;  ///< candidates for elimination
  uint32_t eliminatedMoves = 0;
  uint32_t zeroMoves = 0; ///< eliminated or not, moves that forward a known zero
  uint32_t maxEliminatedInCycle = 0;
};

struct RegisterFileStatistics {
  std::vector<RegisterFileUsage> files; ///< file 0 counts the mappings of all files
};

} // namespace mca

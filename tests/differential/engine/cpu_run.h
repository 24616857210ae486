// Random bodies on one CPU, compared in child processes; what differs or crashes is made small and written down as a
// case of engine_cases/.
#pragma once

#include "tests/differential/engine/cpus.h"
#include "tests/differential/engine/instruction_pool.h"

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

struct RunOptions {
  uint64_t seed = 1;
  uint64_t first = 0;    ///< number of the first body
  uint64_t bodies = 500; ///< at most
  double seconds = 0;    ///< no further body after so many, with those for the pool; 0: no limit
  size_t opcodes = 1500; ///< that the pool is made of; 0: all
};

struct RunCounts {
  uint64_t bodies = 0;      ///< compared with LLVM
  uint64_t longBodies = 0;  ///< of these compared with and without steady state over many more iterations
  uint64_t differences = 0; ///< crashes of the simulator included
  uint64_t ties = 0;        ///< bodies for which LLVM gives sometimes this and sometimes that
  uint64_t refused = 0;     ///< bodies that LLVM's pipeline crashed on
};

struct RunResult {
  RunCounts counts;
  double seconds = 0;                ///< that the comparisons took, without making the pool
  size_t instructions = 0;           ///< of the pool
  std::vector<std::string> findings; ///< every difference, with its case
  std::vector<std::string> refusals; ///< some bodies that LLVM's pipeline crashed on
  std::vector<std::string> leftOut;  ///< instructions, see InstructionPool
};

/// A body's number and the seed decide what it is, whatever ran before it.
RunResult runCpu(const Cpu &cpu, const RunOptions &options);

} // namespace differential

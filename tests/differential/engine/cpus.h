// The CPUs whose simulation is compared: of each target those with a scheduling model of their own.
#pragma once

#include <vector>

namespace differential {

struct Cpu {
  const char *triple;
  const char *name;
};

/// Without ARM's cortex-a9: its model makes LLVM write beyond its tables.
const std::vector<Cpu> &engineCpus();

} // namespace differential

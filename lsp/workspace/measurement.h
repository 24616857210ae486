// What the program mca-measure found out about a region, by running its instructions on this machine.
//
// A measurement belongs to a simulation (wire::Simulation::id): the same instructions with the same model. An edit of
// them changes the id, an edit elsewhere does not, and an undo brings the measurement back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lsp {

struct Measurement {
  double cycles = 0;              ///< core cycles per iteration of the machine code
  double spread = 0;              ///< of repeated runs, as a share of the cycles
  std::string form;               ///< how the instructions were repeated: "loop" or "unrolled"
  std::string cpu;                ///< this machine's, by LLVM's name; empty if it is not known
  std::string predictedFor;       ///< the CPU of the simulation
  uint64_t when = 0;              ///< seconds since 1970
  std::vector<std::string> notes; ///< what was seen, a clause each: "2 loads take their values from stores"

  /// Numbers of different CPUs are not compared.
  bool isComparable() const { return cpu == predictedFor; }
  bool operator==(const Measurement &) const = default;
};

} // namespace lsp

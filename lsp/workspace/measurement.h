// What the program mca-measure found out about a region, by running its instructions on this machine.
//
// A measurement belongs to a simulation (wire::Simulation::id): the same instructions with the same model. An edit of
// them changes the id, an edit elsewhere does not, and an undo brings the measurement back.
#pragma once

#include <cstdint>
#include <string>

namespace lsp {

struct Measurement {
  double cycles = 0;         ///< core cycles per iteration of the machine code
  double spread = 0;         ///< of repeated runs: the largest less the smallest, as a share of the smallest
  std::string form;          ///< how the instructions were repeated: "loop" or "unrolled"
  bool hasOwnBranch = false; ///< the branch that closes the loop is the region's own
  uint32_t furtherPages = 0; ///< of memory that it touched, beside the one that is prepared for it
  uint32_t symbols = 0;      ///< of the program's data that it reads; their contents were others
  std::string cpu;           ///< this machine's, by LLVM's name; empty if it is not known
  std::string predictedFor;  ///< the CPU of the simulation
  uint64_t when = 0;         ///< seconds since 1970

  /// Numbers of different CPUs are not compared.
  bool isComparable() const { return cpu == predictedFor; }
  bool operator==(const Measurement &) const = default;
};

} // namespace lsp

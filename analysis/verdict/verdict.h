// What limits a region, in one sentence, and only when the simulation shows it.
//
// The rules, in this order (cycles are per iteration):
//  1. resource: some resource unit is busy in at least nine tenths of the cycles;
//  2. dispatch: the micro-ops, at the dispatch width, need at least nine tenths of the cycles;
//  3. registers: the dataflow limit (mca-core/engine/dataflow.h), the longest loop-carried chain of register
//     dependencies, takes at least nine tenths of the cycles;
//  4. memory: an instruction waits for memory order (mca-core/report/report_waits.h) in at least nine tenths of the
//     cycles, and what it waits for depends in its turn, through registers or memory order, on the instruction itself:
//     only a dependency that closes a circle recurs with each iteration;
//  5. in order: in each cycle at most one instruction waits, the next one, and for one thing. What is waited for in at
//     least half of the cycles is the limit, whether it recurs or not: nothing is done meanwhile. Where nothing is
//     waited for in half of them, that is the issue width.
// Cycles are those of the steady loop (mca::Rate). What uses and waits take of them is averaged over the simulated
// iterations, the first of which fill the machine: nine tenths leave room for that, and fewer than ten iterations give
// no verdict. What lies between the rules has none either: a full reorder buffer, for one.
//
// A resource's sentence names the instructions by a mnemonic that makes up at least half of the use; where none does,
// it counts them.
#pragma once

#include "mca-core/engine/dataflow.h"
#include "mca-core/report/report.h"

#include <span>
#include <string>
#include <vector>

namespace analysis {

/// What a verdict rests on.
struct Evidence {
  const mca::Report &report;
  const mca::DataflowLimit *limit = nullptr; ///< null: not looked for; counts instructions as the report does
  const mca::Waits *waits = nullptr;         ///< null: not looked for
  std::span<const mca::DataLink> links = {}; ///< with `waits`
  uint32_t sourceIterations = 1;             ///< as in Region: what the sentences call iterations
  bool inOrder = false;                      ///< the CPU is
};

struct Verdict {
  enum class Kind { None, Resource, Dispatch, Registers, Memory, Stall };
  /// An instruction that has to do with it.
  struct Witness {
    uint32_t instruction = 0; ///< position in the report
    std::string message;
  };
  Kind kind = Kind::None;
  std::string limit;    ///< in a word, for a hint: "p5", "dispatch", "chain", "memory"; empty for None
  std::string sentence; ///< starts in lower case, no full stop; empty for None
  std::vector<Witness> witnesses;
};

Verdict judge(const Evidence &evidence);

/// The stable code of a verdict's finding: "resource-bottleneck".
const char *codeOf(Verdict::Kind kind);

/// Of what the cycles of one iteration of the machine code are: "per iteration", "per 4 iterations" of the source's
/// loop. `sourceIterations` is as in Region.
std::string perIterations(uint32_t sourceIterations);

/// The name of one unit: the resource's, with the unit's number when there are several.
std::string unitName(const mca::ResourceUnit &unit);

} // namespace analysis

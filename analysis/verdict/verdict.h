// What limits a region, as data, and only if the simulation shows it. (lsp/wording/verdict_text.h puts it into words.)
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
#pragma once

#include "analysis/wire/messages.h"
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
  bool inOrder = false;                      ///< the CPU is
};

wire::Verdict judge(const Evidence &evidence);

/// Why an instruction waits, as the wire has it; `iterations` are those that the cycles are counted over.
wire::Wait waitOf(const mca::WaitReason &reason, const mca::Report &report, double iterations);

std::string unitName(const mca::ResourceUnit &unit);

} // namespace analysis

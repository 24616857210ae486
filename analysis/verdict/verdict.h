// What limits a region, as data, and only if the simulation shows it. lsp/wording/verdict_text.h puts it into words.
//
// The rules, in this order (cycles are per iteration):
//  1. resource: a resource unit is busy in at least nine tenths of the cycles;
//  2. dispatch: at the dispatch width, the micro-ops need at least nine tenths of the cycles; out of order with the
//     slots that dispatch groups leave empty (mca-core/engine/dispatch_limit.h);
//  3. chain: the dataflow limit (mca-core/engine/dataflow.h), the longest loop-carried chain of dependencies, takes at
//     least nine tenths of the cycles. One that goes through memory is Kind::Memory, with its links;
//  4. memory: an instruction waits for memory order (mca-core/report/report_waits.h) in at least nine tenths of the
//     cycles, and what it waits for depends on the instruction itself, through registers or memory order: only a
//     dependency that closes a circle recurs in each iteration;
//  5. buffers: out of order, dispatch waits in at least nine tenths of the cycles for room in the reorder buffer, a
//     scheduler, a queue or a register file, and with buffers of several times the size the loop takes at most nine
//     tenths of the cycles. The buffer that it waits for most is named. A full buffer alone is no reason: it is full in
//     front of every other limit, too;
//  6. in order: on an in-order CPU, at most the next instruction waits in a cycle, and it has one reason. A kind of
//     reason that takes at least half of the cycles is the limit, even if it does not recur, because nothing else is
//     done meanwhile. If no instruction waits in at least half of the cycles, the issue width is the limit.
// If none holds, no single limit takes nearly all cycles, and the verdict is the largest of them (Verdict::isLargest):
// in order the kind of reason or the issue width that takes most cycles, otherwise the busiest unit, dispatch, the
// longest chain, or a buffer that costs time. Other waits out of order are no part of that, because they overlap.
//
// Cycles are those of the steady loop (mca::Rate). Uses and waits are averaged over the simulated iterations, and the
// first of these fill the machine: the threshold of nine tenths leaves room for that, and fewer than ten iterations
// give no verdict.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/engine/dataflow.h"
#include "mca-core/engine/dispatch_limit.h"
#include "mca-core/report/report.h"

#include <span>
#include <string>
#include <vector>

namespace analysis {

/// The results of a simulation that a verdict is based on.
struct Evidence {
  const mca::Report &report;
  const mca::DataflowLimit *limit = nullptr; ///< null: not computed; instructions are numbered as in the report
  mca::DispatchLimit dispatch = {};          ///< without iterations: the micro-ops at the dispatch width
  const mca::Waits *waits = nullptr;         ///< null: not recorded
  std::span<const mca::DataLink> links = {}; ///< with `waits`
  const mca::Summary *roomy = nullptr;       ///< with larger buffers; null: not simulated
  bool inOrder = false;                      ///< whether the CPU is
};

/// The first rule that holds, or the largest limit; Kind::None for too few iterations.
wire::Verdict judge(const Evidence &evidence);

/// Whether the loop has to be simulated with larger buffers: dispatch often waits for room in one, and no other rule
/// holds.
bool mayLackRoom(const Evidence &evidence);

/// A wait as messages have it. `iterations`: over which the report counts cycles; the result has cycles per iteration.
wire::Wait waitOf(const mca::WaitReason &reason, const mca::Report &report, double iterations);

/// "SKLPort5"; with a number if the resource has several units: "Zn4LSU.2".
std::string unitName(const mca::ResourceUnit &unit);

} // namespace analysis

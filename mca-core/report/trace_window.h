// A window of a trace: some consecutive instructions of a run, one by one, with the reasons for which they waited.
#pragma once

#include "mca-core/report/report.h"
#include "mca-core/target/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mca {

class Simulator;
struct PreparedTrace;

/// Which instructions of a run along a trace to record. They are numbered from 0 in the order of their execution;
/// those without scheduling data have no number.
struct WindowRange {
  static constexpr uint64_t kMaxCount = 100'000;

  uint64_t first = 0;
  uint64_t count = 100; ///< 1 to kMaxCount; the trace may end earlier
};

/// An executed instruction. Cycles count from TraceWindow::begin.
struct TraceWindowRow {
  uint32_t instruction = 0; ///< position in the report
  TimelineEntry entry;
  bool isMispredicted = false;
  /// The cycle in which fetching continued after a mispredicted branch; none if the trace ends there.
  std::optional<int64_t> resumed;
};

/// What one instruction of the report did in the window.
struct WindowInstruction {
  uint64_t executions = 0;
  uint64_t redirects = 0;   ///< executions that were a mispredicted branch, unless the trace ends there
  uint64_t heldFetches = 0; ///< cycles from its dispatch until fetching continued, over all redirects
  WaitTimes waits;          ///< over all executions
};

struct TraceWindow {
  uint64_t first = 0;
  int64_t begin = 0;                       ///< the cycle of the run in which the first row was dispatched
  std::vector<TraceWindowRow> rows;        ///< in the order of execution; at least one
  std::vector<WindowInstruction> executed; ///< by position in the report
  /// Each instruction that the trace executes, in text order. With SimulationOptions::waitReasons `waits`: those of the
  /// window, their segments by row. With `bottlenecks` these: of the cycles from the dispatch of the first row until
  /// that of the first instruction after the last row, and without a critical sequence, which is one of a loop.
  Report report;
  std::vector<uint32_t> origins; ///< by position in the report: the instruction of the program
};

/// Records a window of the counted part of a trace. The run repeats that of runTrace() up to the end of the window, so
/// it takes time for all instructions before it. Fails if the trace ends before the window. Of the options that the
/// trace was prepared with, `bottlenecks` and `waitReasons` decide what is recorded.
Result<TraceWindow> recordWindow(PreparedTrace &prepared, Simulator &simulator, const WindowRange &range);

} // namespace mca

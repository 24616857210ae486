// A window of a trace as text and as JSON. The rows and tables are those of a loop, with what a misprediction adds to
// them.
#include "mca-core/views/json.h"
#include "mca-core/views/text.h"
#include "mca-core/views/text_parts.h"
#include "mca-core/views/trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FormattedStream.h"

#include <algorithm>
#include <limits>

namespace mca {
namespace {

std::string rangeOf(const TraceWindow &window) {
  return llvm::formatv("instructions {0} to {1}", window.first, window.first + window.rows.size() - 1);
}

llvm::SmallVector<uint64_t> executionsOf(const TraceWindow &window) {
  return llvm::map_to_vector(window.executed, [](const WindowInstruction &one) { return one.executions; });
}

/// Explains the gap after the row.
std::string mispredictionText(const TraceWindowRow &row) {
  if (!row.isMispredicted)
    return "";
  if (!row.resumed)
    return "  mispredicted";
  return llvm::formatv("  mispredicted, {0} + {1} cycles", row.entry.executed - row.entry.dispatched,
                       *row.resumed - row.entry.executed);
}

/// As in a loop's timeline: the first row that retires beyond the limit ends it, and the last column is that of the
/// last event within the limit.
void printTimeline(llvm::raw_ostream &stream, const TraceWindow &window, uint32_t maxCycles) {
  const int64_t limit = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  int64_t lastCycle = 0;
  for (const TraceWindowRow &row : window.rows)
    for (const int64_t cycle : {row.entry.dispatched, row.entry.issued, row.entry.executed, row.entry.retired})
      if (cycle < limit)
        lastCycle = std::max(lastCycle, cycle);
  const auto indexOf = [&](size_t row) {
    return llvm::formatv("[{0},{1}]", window.first + row, window.rows[row].instruction).str();
  };
  size_t column = 10;
  for (size_t row = 0; row < window.rows.size(); ++row)
    column = std::max(column, indexOf(row).size() + 1);
  llvm::formatted_raw_ostream out(stream);
  out << "\n\nTimeline view of " << rangeOf(window) << ", from cycle " << window.begin << ":\n";
  if (llvm::any_of(window.rows, [](const TraceWindowRow &row) { return row.isMispredicted; }))
    out << "After a mispredicted branch: the cycles until it has executed + those of the redirect.\n";
  printTimelineRuler(out, static_cast<uint64_t>(lastCycle), static_cast<unsigned>(column));
  out << '\n';
  for (size_t i = 0; i < window.rows.size(); ++i) {
    const TraceWindowRow &row = window.rows[i];
    if (row.entry.retired >= limit) {
      out << "Truncated display due to cycle limit\n";
      break;
    }
    out << indexOf(i);
    out.PadToColumn(static_cast<unsigned>(column))
        << timelineCells(row.entry, static_cast<uint64_t>(lastCycle)) << "   "
        << window.report.instructions[row.instruction].text << mispredictionText(row) << '\n';
  }
  // What follows goes to the stream below.
  out.flush();
  const auto waits = llvm::map_to_vector(window.executed, [](const WindowInstruction &one) { return one.waits; });
  printAverageWaits(stream, window.report, waits, executionsOf(window), window.rows.size());
}

/// What a branch makes others wait for is no wait of its own, so it stands below its reasons.
void printWaits(llvm::raw_ostream &out, const TraceWindow &window) {
  const auto notes = llvm::map_to_vector(window.executed, [](const WindowInstruction &one) -> std::string {
    if (!one.redirects)
      return "";
    return llvm::formatv("{0} nothing enters after it: mispredicted {1} of {2} times",
                         formatWait(one.heldFetches, one.executions), one.redirects, one.executions);
  });
  printWaitTable(out, window.report,
                 "Wait reasons of " + rangeOf(window) + " (cycles per execution; instructions wait at the same time):",
                 executionsOf(window), notes);
}

/// A redirect is neither pressure on resources nor a dependency, and often the largest part.
void printWindowBottlenecks(llvm::raw_ostream &out, const TraceWindow &window) {
  const uint64_t cycles = window.report.bottlenecks->cycles;
  uint64_t held = 0;
  for (const WindowInstruction &one : window.executed)
    held += one.heldFetches;
  out << "\n\nBottlenecks of " << rangeOf(window) << ", dispatched in " << cycles
      << " cycles:\nCycles without fetching after mispredicted branches [ "
      << formatRounded(double(held) * 100 / double(cycles), 2) << "% ]";
  printBottlenecks(out, window.report);
}

llvm::json::Object rowToJson(const TraceWindow &window, size_t index) {
  const TraceWindowRow &row = window.rows[index];
  llvm::json::Object object{{"Instruction", row.instruction},      {"CycleDispatched", row.entry.dispatched},
                            {"CycleReady", row.entry.ready},       {"CycleIssued", row.entry.issued},
                            {"CycleExecuted", row.entry.executed}, {"CycleRetired", row.entry.retired},
                            {"Mispredicted", row.isMispredicted}};
  if (row.resumed)
    object["RedirectCycles"] = *row.resumed - row.entry.executed;
  if (window.report.waits)
    object["Waits"] = segmentsToJson(window.report.waits->segments[index]);
  return object;
}

} // namespace

void printWindow(llvm::raw_ostream &out, const TraceWindow &window, const WindowViews &views) {
  if (window.report.bottlenecks)
    printWindowBottlenecks(out, window);
  if (views.timeline)
    printTimeline(out, window, views.timelineMaxCycles);
  if (window.report.waits)
    printWaits(out, window);
}

llvm::json::Object toJson(const TraceWindow &window, const ProgramBranches &branches) {
  llvm::json::Array rows;
  for (size_t index = 0; index < window.rows.size(); ++index)
    rows.push_back(rowToJson(window, index));
  llvm::json::Object object{{"First", window.first},
                            {"Begin", window.begin},
                            {"Instructions", toArray(window.executed,
                                                     [&](size_t index, const WindowInstruction &one) {
                                                       return llvm::json::Object{
                                                           {"Line", branches.lineOf(window.origins[index])},
                                                           {"Instruction", window.report.instructions[index].text},
                                                           {"Executions", one.executions},
                                                           {"Redirects", one.redirects},
                                                           {"HeldFetches", one.heldFetches}};
                                                     })},
                            {"Rows", std::move(rows)}};
  if (window.report.waits)
    object["WaitReasons"] = instructionWaitsToJson(*window.report.waits);
  if (window.report.bottlenecks)
    object["BottleneckAnalysis"] = pressureToFullJson(*window.report.bottlenecks);
  return object;
}

} // namespace mca

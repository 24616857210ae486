// The timeline and the average wait times as text (TimelineView in LLVM).
#include "mca-core/views/text.h"
#include "mca-core/views/text_parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"

#include <cmath>

namespace mca {
namespace {

/// Prints the ruler above the timeline: the digits of every second group of ten cycles.
void printRuler(llvm::raw_ostream &out, uint64_t lastCycle, unsigned parity) {
  for (uint64_t cycle = 0; cycle <= lastCycle; ++cycle)
    out << (((cycle / 10) & 1) == parity ? char('0' + cycle % 10) : ' ');
  out << '\n';
}

/// Rounds half up on ten times the sum, which llvm-mca keeps in 32 bits.
void printAverage(llvm::raw_ostream &out, uint64_t sum, uint64_t instances) {
  const double tenths = double(static_cast<uint32_t>(sum * 10)) / double(instances);
  out << llvm::format("%.1f", std::floor(tenths + 0.5) / 10);
}

/// `lead`: the row's index, or nothing for the total. `instances`: what the sums are divided by, the instructions of
/// all iterations for the total.
void printWaitRow(llvm::formatted_raw_ostream &out, const std::string &lead, const WaitTimes &waits,
                  uint64_t executions, uint64_t instances) {
  out << lead;
  out.PadToColumn(7) << executions;
  printAverage(out.PadToColumn(13), waits.inScheduler, instances);
  printAverage(out.PadToColumn(20), waits.inSchedulerReady, instances);
  printAverage(out.PadToColumn(27), waits.beforeRetire, instances);
  out.PadToColumn(34) << "   ";
}

} // namespace

/// Cycles 10 to 19, 30 to 39 and so on are numbered on a line above the others.
void printTimelineRuler(llvm::formatted_raw_ostream &out, uint64_t lastCycle, unsigned column) {
  if (lastCycle >= 10) {
    out.indent(column);
    printRuler(out, lastCycle, 1);
  }
  out << "Index";
  printRuler(out.PadToColumn(column), lastCycle, 0);
}

void printAverageWaits(llvm::raw_ostream &stream, const Report &report, std::span<const WaitTimes> waits,
                       std::span<const uint64_t> executions, uint64_t totalExecutions) {
  stream << "\n\nAverage Wait times (based on the timeline view):\n"
            "[0]: Executions\n"
            "[1]: Average time spent waiting in a scheduler's queue\n"
            "[2]: Average time spent waiting in a scheduler's queue while ready\n"
            "[3]: Average time elapsed from WB until retire stage\n\n"
            "      [0]    [1]    [2]    [3]\n";
  llvm::formatted_raw_ostream out(stream);
  WaitTimes total;
  uint64_t instances = 0;
  for (const auto [i, wait] : llvm::enumerate(waits)) {
    if (!executions[i])
      continue;
    printWaitRow(out, std::to_string(i) + ".", wait, executions[i], executions[i]);
    out << report.instructions[i].text << '\n';
    instances += executions[i];
    total.inScheduler += wait.inScheduler;
    total.inSchedulerReady += wait.inSchedulerReady;
    total.beforeRetire += wait.beforeRetire;
  }
  // The total of one instruction would repeat its row.
  if (waits.size() < 2)
    return;
  printWaitRow(out, "", total, totalExecutions, instances);
  out << "<total>\n";
}

/// Cycles without an event show a dot in every fifth column, so that the eye can follow a column down the rows.
std::string timelineCells(const TimelineEntry &entry, uint64_t lastCycle) {
  std::string cells;
  const auto repeat = [&](int64_t from, int64_t to, char c) {
    if (from < to)
      cells.append(to - from, c);
  };
  for (int64_t i = 0; i < entry.dispatched; ++i)
    cells += i % 5 == 0 ? '.' : ' ';
  cells += 'D';
  // An instruction that executes in the cycle of its dispatch (an eliminated move) shows no execution.
  if (entry.dispatched != entry.executed) {
    repeat(entry.dispatched + 1, entry.issued, '=');
    if (entry.issued != entry.executed && entry.dispatched != entry.issued)
      cells += 'e';
    repeat(entry.issued + 1, entry.executed, 'e');
    cells += 'E';
  }
  repeat(entry.executed + 1, entry.retired, '-');
  if (entry.executed < entry.retired)
    cells += 'R';
  for (int64_t i = entry.retired + 1; i <= int64_t(lastCycle); ++i)
    cells += i % 5 == 0 || i == int64_t(lastCycle) ? '.' : ' ';
  return cells;
}

void printTimeline(llvm::raw_ostream &stream, const Report &report) {
  const Timeline &timeline = *report.timeline;
  const size_t count = timeline.waits.size();
  llvm::formatted_raw_ostream out(stream);
  out << "\n\nTimeline view:\n";
  printTimelineRuler(out, timeline.lastCycle, 10);
  for (const auto [i, entry] : llvm::enumerate(timeline.entries)) {
    if (entry.truncated()) {
      out << "Truncated display due to cycle limit\n";
      break;
    }
    out << (i == 0 ? "\n[" : "[") << i / count << ',' << i % count << ']';
    out.PadToColumn(10) << timelineCells(entry, timeline.lastCycle) << "   " << report.instructions[i % count].text
                        << '\n';
  }
  // What follows goes to the stream below.
  out.flush();
  printAverageWaits(stream, report, timeline.waits, std::vector<uint64_t>(count, timeline.iterations),
                    timeline.iterations);
}

} // namespace mca

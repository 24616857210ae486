#include "mca-core/views/text.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace mca {
namespace {

std::string percentage(uint64_t part, uint64_t whole) {
  return formatRounded(double(part) * 100 / double(whole), 2);
}

/// "[3]" or, for one unit of several, "[3.1]".
std::string unitIndex(const ResourcePressure &pressure, size_t unit) {
  unsigned resource = 0;
  for (size_t i = 1; i <= unit; ++i)
    resource += pressure.units[i].resource != pressure.units[i - 1].resource;
  std::string text = "[" + std::to_string(resource);
  if (pressure.units[unit].unitsOfResource > 1)
    text += "." + std::to_string(pressure.units[unit].unit);
  return text + "]";
}

/// Prints `text` and pads the column to `width`, at least by one blank.
void printCell(llvm::raw_ostream &out, const std::string &text, size_t width) {
  out << text;
  out.indent(text.size() < width ? width - text.size() : 1);
}

void printPressureHeader(llvm::raw_ostream &out, const ResourcePressure &pressure) {
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    printCell(out, unitIndex(pressure, unit), 7);
}

void printPressureRow(llvm::raw_ostream &out, const double *row, size_t units) {
  for (size_t unit = 0; unit < units; ++unit)
    printCell(out, row[unit] < 0.005 ? " - " : formatRounded(row[unit], 2), 7);
}

class CriticalSequencePrinter {
public:
  CriticalSequencePrinter(llvm::raw_ostream &out, const Report &report)
      : out_(out), report_(report), count_(static_cast<uint32_t>(report.instructions.size())) {}

  void print() {
    const std::vector<Dependency> &sequence = report_.bottlenecks->criticalSequence;
    out_ << "\nCritical sequence based on the simulation:\n\n";
    out_.PadToColumn(14) << "Instruction";
    out_.PadToColumn(58) << "Dependency Information";
    printStart(sequence.front());
    for (const Dependency &dependency : sequence)
      printStep(dependency);
    skipTo(count_, "\n        ");
    out_ << '\n';
  }

private:
  void printStart(const Dependency &first) {
    if (first.loopCarried()) {
      printInstruction("\n +----< ", first.from);
      out_ << kLoopCarried;
      return;
    }
    skipTo(first.from, "\n        ");
    printInstruction("\n +----< ", next_++);
  }

  void printStep(const Dependency &step) {
    const bool wraps = next_ > step.to;
    skipTo(wraps ? count_ : step.to, "\n |      ");
    if (wraps)
      out_ << kLoopCarried;
    printInstruction("\n +----> ", step.to);
    ++next_; // beyond the last instruction once the sequence has wrapped around
    out_.PadToColumn(58);
    switch (step.kind) {
    case Dependency::Kind::Register:
      out_ << "## REGISTER dependency:  " << step.name;
      break;
    case Dependency::Kind::Memory:
      out_ << "## MEMORY dependency.";
      break;
    case Dependency::Kind::Resource:
      out_ << "## RESOURCE interference:  " << step.name
           << " [ probability: " << step.frequency * 100 / report_.summary.iterations << "% ]";
      break;
    }
  }

  void skipTo(uint32_t end, const char *lead) {
    while (next_ < end)
      printInstruction(lead, next_++);
  }

  void printInstruction(const char *lead, uint32_t index) {
    out_ << lead << index << ".";
    out_.PadToColumn(14) << report_.instructions[index].text;
  }

  static constexpr const char *kLoopCarried = "\n |\n |    < loop carried > \n |";
  llvm::formatted_raw_ostream out_;
  const Report &report_;
  uint32_t count_;
  uint32_t next_ = 0;
};

/// The ruler above the timeline: the digits of every second group of ten cycles.
void printRuler(llvm::raw_ostream &out, uint64_t lastCycle, unsigned parity) {
  for (uint64_t cycle = 0; cycle <= lastCycle; ++cycle)
    out << (((cycle / 10) & 1) == parity ? char('0' + cycle % 10) : ' ');
  out << '\n';
}

void printWaitRow(llvm::formatted_raw_ostream &out, const std::string &lead, const WaitTimes &waits,
                  uint64_t executions, uint64_t instances) {
  const auto average = [&](uint64_t sum) { return formatRounded(double(sum) / double(instances), 1); };
  out << lead;
  out.PadToColumn(7) << executions;
  out.PadToColumn(13) << average(waits.inScheduler);
  out.PadToColumn(20) << average(waits.inSchedulerReady);
  out.PadToColumn(27) << average(waits.beforeRetire);
  out.PadToColumn(37);
}

void printWaits(llvm::raw_ostream &stream, const Report &report) {
  stream << "\n\nAverage Wait times (based on the timeline view):\n"
            "[0]: Executions\n"
            "[1]: Average time spent waiting in a scheduler's queue\n"
            "[2]: Average time spent waiting in a scheduler's queue while ready\n"
            "[3]: Average time elapsed from WB until retire stage\n\n"
            "      [0]    [1]    [2]    [3]\n";
  llvm::formatted_raw_ostream out(stream);
  const Timeline &timeline = *report.timeline;
  WaitTimes total;
  for (size_t i = 0; i < timeline.waits.size(); ++i) {
    const WaitTimes &waits = timeline.waits[i];
    printWaitRow(out, std::to_string(i) + ".", waits, timeline.iterations, timeline.iterations);
    out << report.instructions[i].text << '\n';
    total.inScheduler += waits.inScheduler;
    total.inSchedulerReady += waits.inSchedulerReady;
    total.beforeRetire += waits.beforeRetire;
  }
  if (timeline.waits.size() < 2)
    return;
  printWaitRow(out, "", total, timeline.iterations, timeline.iterations * timeline.waits.size());
  out << "<total>\n";
}

} // namespace

std::string formatRounded(double value, int decimals) {
  const double scale = decimals == 1 ? 10 : 100;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(decimals == 1 ? "%.1f" : "%.2f",
                                                 std::floor(value * scale + 0.5) / scale);
  return text;
}

void printSummary(llvm::raw_ostream &out, const Report &report) {
  const Summary &summary = report.summary;
  out << "Iterations:        " << summary.iterations << "\nInstructions:      " << summary.instructions
      << "\nTotal Cycles:      " << summary.cycles << "\nTotal uOps:        " << summary.microOps
      << "\n\nDispatch Width:    " << summary.dispatchWidth
      << "\nuOps Per Cycle:    " << formatRounded(summary.microOpsPerCycle(), 2)
      << "\nIPC:               " << formatRounded(summary.ipc(), 2)
      << "\nBlock RThroughput: " << formatRounded(summary.blockReciprocalThroughput, 1) << '\n';
}

void printBottlenecks(llvm::raw_ostream &out, const Report &report) {
  const Bottlenecks &found = *report.bottlenecks;
  if (!found.found()) {
    out << "\n\nNo resource or data dependency bottlenecks discovered.\n";
    return;
  }
  const auto share = [&](uint64_t cycles) { return percentage(cycles, found.cycles); };
  out << "\n\nCycles with backend pressure increase [ " << share(found.pressureCycles) << "% ]"
      << "\nThroughput Bottlenecks: "
      << "\n  Resource Pressure       [ " << share(found.resourceCycles) << "% ]";
  for (const Bottlenecks::Resource &resource : found.resources)
    out << "\n  - " << resource.name << "  [ " << share(resource.cycles) << "% ]";
  out << "\n  Data Dependencies:      [ " << share(found.dataDependencyCycles) << "% ]"
      << "\n  - Register Dependencies [ " << share(found.registerDependencyCycles) << "% ]"
      << "\n  - Memory Dependencies   [ " << share(found.memoryDependencyCycles) << "% ]\n";
  if (!found.criticalSequence.empty())
    CriticalSequencePrinter(out, report).print();
}

void printInstructionInfo(llvm::raw_ostream &stream, const Report &report) {
  stream << "\n\nInstruction Info:\n"
            "[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n[6]: HasSideEffects (U)\n\n"
            "[1]    [2]    [3]    [4]    [5]    [6]    Instructions:\n";
  for (const InstructionInfo &info : report.instructions) {
    stream << ' ';
    printCell(stream, std::to_string(info.microOps), 7);
    printCell(stream, std::to_string(info.latency), 6);
    printCell(stream, llvm::formatv("{0:F2}", info.reciprocalThroughput).str(), 7);
    stream << (info.mayLoad ? " *     " : "       ") << (info.mayStore ? " *     " : "       ")
           << (info.hasSideEffects ? " U     " : "       ") << info.text << '\n';
  }
}

void printResourcePressure(llvm::raw_ostream &out, const Report &report) {
  const ResourcePressure &pressure = report.pressure;
  out << "\n\nResources:\n";
  for (size_t unit = 0; unit < pressure.units.size(); ++unit) {
    printCell(out, unitIndex(pressure, unit), 6);
    out << "- " << pressure.units[unit].name << '\n';
  }
  out << "\n\nResource pressure per iteration:\n";
  printPressureHeader(out, pressure);
  out << '\n';
  printPressureRow(out, pressure.perIteration.data(), pressure.units.size());
  out << "\n\nResource pressure by instruction:\n";
  printPressureHeader(out, pressure);
  out << "Instructions:\n";
  for (size_t i = 0; i < report.instructions.size(); ++i) {
    printPressureRow(out, &pressure.byInstruction[i * pressure.units.size()], pressure.units.size());
    out << report.instructions[i].text << '\n';
  }
}

std::string timelineCells(const TimelineEntry &entry, uint64_t lastCycle) {
  std::string cells;
  const auto repeat = [&](int64_t from, int64_t to, char c) {
    if (from < to)
      cells.append(to - from, c);
  };
  for (int64_t i = 0; i < entry.dispatched; ++i)
    cells += i % 5 == 0 ? '.' : ' ';
  cells += 'D';
  // What is executed as it dispatches (an eliminated move) shows no execution.
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

void printTimeline(llvm::raw_ostream &out, const Report &report) {
  const Timeline &timeline = *report.timeline;
  const size_t count = timeline.waits.size();
  out << "\n\nTimeline view:\n";
  if (timeline.lastCycle >= 10) {
    out.indent(10);
    printRuler(out, timeline.lastCycle, 1);
  }
  out << "Index     ";
  printRuler(out, timeline.lastCycle, 0);
  out << '\n';
  for (size_t i = 0; i < timeline.entries.size(); ++i) {
    const TimelineEntry &entry = timeline.entries[i];
    // Executed, but its retirement lies beyond the limit.
    if (entry.retired == 0 && entry.executed != 0) {
      out << "Truncated display due to cycle limit\n";
      break;
    }
    printCell(out, "[" + std::to_string(i / count) + "," + std::to_string(i % count) + "]", 10);
    out << timelineCells(entry, timeline.lastCycle) << "   " << report.instructions[i % count].text << '\n';
  }
  printWaits(out, report);
}

} // namespace mca

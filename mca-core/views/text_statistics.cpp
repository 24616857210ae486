// The hardware statistics as text: DispatchStatistics, SchedulerStatistics, RetireControlUnitStatistics and
// RegisterFileStatistics of llvm/tools/llvm-mca/Views.
//
// These views round in different ways: formatRounded() makes 0.3 of 0.25, "%.1f" makes 0.2. So each number has the
// rounding of its view.
#include "mca-core/views/text.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"

#include <cmath>
#include <iterator>

namespace mca {
namespace {

double percent(double part, double whole) {
  return part / whole * 100;
}

/// By DispatchStall. The abbreviations are those of llvm-mca's hardware: RAT is the register alias table, RCU the
/// retire control unit, USH an uncategorised structural hazard.
constexpr const char *kStallNames[] = {
    "RAT     - Register unavailable:                      ", "RCU     - Retire tokens unavailable:                 ",
    "SCHEDQ  - Scheduler full:                            ", "LQ      - Load queue full:                           ",
    "SQ      - Store queue full:                          ", "GROUP   - Static restrictions on the dispatch group: ",
    "USH     - Uncategorised Structural Hazard:           ",
};
static_assert(std::size(kStallNames) == kDispatchStalls);

/// Only for a file with moves that renaming could have eliminated.
void printMoves(llvm::raw_ostream &out, const RegisterFileUsage &file) {
  const auto share = [&](uint32_t count) { return formatRounded(percent(count, file.optimizableMoves), 1); };
  out << "   Number of optimizable moves:      " << file.optimizableMoves
      << "\n   Number of moves eliminated:       " << file.eliminatedMoves << "  (" << share(file.eliminatedMoves)
      << "%)\n   Number of zero moves:             " << file.zeroMoves << "  (" << share(file.zeroMoves)
      << "%)\n   Max moves eliminated per cycle:   " << file.maxEliminatedInCycle << '\n';
}

void printBuffers(llvm::raw_ostream &stream, const SchedulerStatistics &statistics) {
  stream << "\nScheduler's queue usage:\n";
  if (!statistics.anyBufferUsed) {
    stream << "No scheduler resources used.\n";
    return;
  }
  stream << "[1] Resource name.\n"
            "[2] Average number of used buffer entries.\n"
            "[3] Maximum number of used buffer entries.\n"
            "[4] Total number of buffer entries.\n\n"
            " [1]            [2]        [3]        [4]\n";
  llvm::formatted_raw_ostream out(stream);
  for (const BufferUsage &buffer : statistics.buffers) {
    // llvm-mca prints the integer part of the average after rounding it to tenths.
    const double average = double(buffer.sumOfCycles) / statistics.cycles;
    out << buffer.resource;
    out.PadToColumn(17) << static_cast<unsigned>(std::floor(average * 10 + 0.5) / 10);
    out.PadToColumn(28) << buffer.maxUsed;
    out.PadToColumn(39) << buffer.size << '\n';
  }
}

} // namespace

void printDispatchStatistics(llvm::raw_ostream &out, const DispatchStatistics &statistics) {
  out << "\n\nDynamic Dispatch Stall Cycles:\n";
  for (unsigned stall = 0; stall < kDispatchStalls; ++stall) {
    const uint32_t cycles = statistics.stalls[stall];
    out << kStallNames[stall] << cycles;
    if (cycles)
      out << "  (" << formatRounded(percent(cycles, statistics.cycles), 1) << "%)";
    out << '\n';
  }
  out << "\n\nDispatch Logic - number of cycles where we saw N micro opcodes dispatched:\n"
         "[# dispatched], [# cycles]\n";
  for (const auto &[microOps, cycles] : statistics.microOps)
    out << ' ' << microOps << ",              " << cycles << "  ("
        << formatRounded(percent(cycles, statistics.cycles), 1) << "%)\n";
}

void printSchedulerStatistics(llvm::raw_ostream &out, const SchedulerStatistics &statistics) {
  out << "\n\nSchedulers - number of cycles where we saw N micro opcodes issued:\n"
         "[# issued], [# cycles]\n";
  for (const auto &[microOps, cycles] : statistics.microOps)
    out << ' ' << microOps << ",          " << cycles << "  ("
        << llvm::format("%.1f", percent(cycles, statistics.cycles)) << "%)\n";
  printBuffers(out, statistics);
}

void printRetireStatistics(llvm::raw_ostream &out, const RetireStatistics &statistics) {
  out << "\n\nRetire Control Unit - number of cycles where we saw N instructions retired:\n"
         "[# retired], [# cycles]\n";
  // One blank less from ten on, so that the columns stay aligned: only this view does so.
  for (const auto &[instructions, cycles] : statistics.instructions)
    out << ' ' << instructions << (instructions < 10 ? ",           " : ",          ") << cycles << "  ("
        << llvm::format("%.1f", percent(cycles, statistics.cycles)) << "%)\n";
  // The average is truncated before its share is computed.
  const auto average = static_cast<unsigned>(double(statistics.sumOfCycles) / statistics.cycles);
  const auto share = [&](uint32_t entries) { return formatRounded(percent(entries, statistics.entries), 1); };
  out << "\nTotal ROB Entries:                " << statistics.entries
      << "\nMax Used ROB Entries:             " << statistics.maxUsed << "  ( " << share(statistics.maxUsed)
      << "% )\nAverage Used ROB Entries per cy:  " << average << "  ( " << share(average) << "% )\n";
}

void printRegisterFileStatistics(llvm::raw_ostream &out, const RegisterFileStatistics &statistics) {
  const std::vector<RegisterFileUsage> &files = statistics.files;
  out << "\n\nRegister File statistics:"
      << "\nTotal number of mappings created:    " << files[0].mappings
      << "\nMax number of mappings used:         " << files[0].maxMappings << '\n';
  for (size_t i = 1; i < files.size(); ++i) {
    // llvm-mca skips files without a limit.
    if (!files[i].physicalRegisters)
      continue;
    out << "\n*  Register File #" << i << " -- " << files[i].name << ':'
        << "\n   Number of physical registers:     " << files[i].physicalRegisters
        << "\n   Total number of mappings created: " << files[i].mappings
        << "\n   Max number of mappings used:      " << files[i].maxMappings << '\n';
    if (files[i].optimizableMoves)
      printMoves(out, files[i]);
  }
}

} // namespace mca

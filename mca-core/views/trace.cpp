// A run along a trace as text and as JSON: llvm-mca's summary with its labels, and what the branches cost.
#include "mca-core/views/trace.h"

#include "mca-core/views/text.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mca {
namespace {

std::string percent(uint64_t part, uint64_t all) {
  return all ? formatRounded(100.0 * double(part) / double(all), 1) + " %" : "-";
}

void printTraceSummary(llvm::raw_ostream &out, const TraceReport &report) {
  const TraceRun &run = report.run;
  const double cycles = double(std::max<uint64_t>(run.cycles, 1));
  out << "Instructions:       " << run.instructions << "\nTotal Cycles:       " << run.cycles
      << "\nTotal uOps:         " << run.microOps << "\n\nDispatch Width:     " << report.dispatchWidth
      << "\nuOps Per Cycle:     " << formatRounded(double(run.microOps) / cycles, 2)
      << "\nIPC:                " << formatRounded(run.ipc(), 2) << "\n\nPredictor:          " << report.predictor;
  if (report.predictorBits)
    out << " (" << (report.predictorBits + 8191) / 8192 << " KiB)";
  out << "\nMispredict Penalty: " << report.mispredictPenalty
      << " cycles\nMispredictions:     " << report.mispredictions << ", "
      << formatRounded(report.mispredictionsPerThousand(), 1)
      << " per 1000 instructions\nPerfect Prediction: " << (report.perfectIsEstimated ? "about " : "")
      << report.perfectCycles << " cycles, "
      << percent(run.cycles - std::min(run.cycles, report.perfectCycles), run.cycles) << " of the cycles are lost\n";
  if (report.trainingInstructions)
    out << "Training:           " << report.trainingInstructions << " instructions before the counted ones\n";
  if (report.isBarelyTrained)
    out << "The trace is too short to train the predictor: mispredictions are too many.\n";
}

/// Wait and cost are those of one misprediction; the last column is the cost per execution.
void printBranches(llvm::raw_ostream &out, const TraceReport &report, const ProgramBranches &branches) {
  out << "\n\nBranches, with the mean cycles of a misprediction:\n"
         "  Line  Executed    Taken   Missed  Wait  Cost  Cycles  Instruction\n";
  for (const TracedBranch &branch : report.branches) {
    std::string text = branch.text;
    std::replace(text.begin(), text.end(), '\t', ' ');
    const double share = double(branch.mispredictions) / double(branch.executions);
    out << llvm::formatv("{0,6}{1,10}{2,9}{3,9}{4,6}{5,6}{6,8}  {7}\n", branches.lineOf(branch.instruction),
                         branch.executions, percent(branch.taken, branch.executions),
                         percent(branch.mispredictions, branch.executions),
                         branch.conditionWait > 0 ? formatRounded(branch.conditionWait, 1) : "-",
                         branch.cost ? formatRounded(*branch.cost, 1) : "-",
                         branch.cost ? formatRounded(*branch.cost * share, 2) : "-", text);
  }
}

} // namespace

void printTrace(llvm::raw_ostream &out, const TraceReport &report, const ProgramBranches &branches) {
  printTraceSummary(out, report);
  if (!report.branches.empty())
    printBranches(out, report, branches);
}

llvm::json::Object toJson(const TraceReport &report, const ProgramBranches &branches) {
  const TraceRun &run = report.run;
  llvm::json::Array all;
  for (const TracedBranch &branch : report.branches) {
    llvm::json::Object one{{"Line", branches.lineOf(branch.instruction)},
                           {"Instruction", branch.text},
                           {"Executions", branch.executions},
                           {"Taken", branch.taken},
                           {"Mispredictions", branch.mispredictions},
                           {"ConditionWait", branch.conditionWait}};
    if (branch.cost)
      one["Cost"] = *branch.cost;
    all.push_back(std::move(one));
  }
  return llvm::json::Object{{"Instructions", run.instructions},
                            {"TotalCycles", run.cycles},
                            {"TotaluOps", run.microOps},
                            {"DispatchWidth", report.dispatchWidth},
                            {"IPC", run.ipc()},
                            {"Predictor", report.predictor},
                            {"PredictorBits", report.predictorBits},
                            {"MispredictPenalty", report.mispredictPenalty},
                            {"Mispredictions", report.mispredictions},
                            {"PerfectCycles", report.perfectCycles},
                            {"PerfectIsEstimated", report.perfectIsEstimated},
                            {"TrainingInstructions", report.trainingInstructions},
                            {"BarelyTrained", report.isBarelyTrained},
                            {"Branches", std::move(all)}};
}

} // namespace mca

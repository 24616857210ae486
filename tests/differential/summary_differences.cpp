#include "tests/differential/summary_differences.h"

namespace differential {
namespace {

std::string line(const std::string &what, const std::string &llvm, const std::string &ours) {
  return llvm == ours ? "" : what + ": llvm-mca " + llvm + ", ours " + ours + "\n";
}

std::string textOf(const std::vector<std::pair<std::string, std::string>> &pressure) {
  std::string text;
  for (const auto &[unit, cycles] : pressure)
    text += (text.empty() ? "" : " ") + unit + "=" + cycles;
  return text;
}

} // namespace

std::string summaryDifferences(const analysis::ShownRegion &ours, const LlvmRegion &llvm) {
  std::string differences;
  const auto compare = [&](const char *name, const std::string &value) {
    differences += line(name, llvm.field(name), value);
  };
  compare("Iterations", std::to_string(ours.iterations));
  compare("Instructions", std::to_string(uint64_t(ours.instructions) * ours.iterations));
  compare("Total Cycles", std::to_string(ours.cycles));
  compare("Total uOps", std::to_string(ours.microOps));
  compare("Dispatch Width", std::to_string(ours.dispatchWidth));
  compare("IPC", rounded(ours.averageIpc, 2));
  compare("uOps Per Cycle", rounded(ours.averageMicroOpsPerCycle, 2));
  compare("Block RThroughput", rounded(ours.blockReciprocalThroughput, 1));
  std::vector<std::pair<std::string, std::string>> pressure;
  for (const analysis::wire::ResourceUse &use : ours.pressure)
    pressure.emplace_back(use.name, rounded(use.perIteration, 2));
  return differences + line("pressure", textOf(llvm.pressure), textOf(pressure));
}

} // namespace differential

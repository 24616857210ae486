// The report with all numbers, and findings in compiler style. Lines outside of a region's block begin with the file's
// name, as those of compilers do.
#include "lsp/check/check_report.h"

#include "analysis/text/counts.h"
#include "analysis/text/visible_text.h"
#include "analysis/wire/enum_names.h"
#include "lsp/check/terminal.h"
#include "lsp/wording/advice_text.h"
#include "lsp/wording/calibration_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/profile_text.h"
#include "lsp/wording/why_not_text.h"
#include "lsp/workspace/region_numbers.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cmath>

namespace lsp {
namespace {

using analysis::decimals;

/// "line 3", "lines 3-7": both included, as an editor numbers them.
std::string lineRange(const CheckRegion &region) {
  const std::string first = std::to_string(region.firstLine);
  return region.firstLine == region.lastLine ? "line " + first
                                             : "lines " + first + "-" + std::to_string(region.lastLine);
}

/// "at most 4.50 cycles on znver4: 4.03, met". A bound below the limit decides nothing: "≥ 4.03, not checked".
std::string budgetText(const wording::BudgetResult &budget) {
  const bool isOfCycles = budget.what == "cycles";
  std::string text = (isOfCycles ? "at most " : "at least ") + decimals(budget.limit, 2) + " " + budget.what + " on " +
                     budget.cpu + ": ";
  if (budget.value > 0 && (budget.checked || isOfCycles))
    text += (budget.checked ? "" : "≥ ") + decimals(budget.value, 2) + ", ";
  return text + (!budget.checked ? "not checked" : budget.met ? "met" : "not met");
}

/// "a.c; further commands: 3 make the same of it, 1 makes something else of it".
std::string seenThrough(const CheckRegion &region) {
  const uint32_t further = region.alike + region.different;
  const auto clause = [&](uint32_t count, const char *result) {
    return (further == 1 ? "" : " " + std::to_string(count)) + (count == 1 ? " makes " : " make ") + result + " of it";
  };
  std::string text = region.through;
  if (further > 0)
    text += further == 1 ? "; 1 further command" : "; further commands:";
  if (region.alike)
    text += clause(region.alike, "the same");
  if (region.alike && region.different)
    text += ",";
  if (region.different)
    text += clause(region.different, "something else");
  return text;
}

/// The value of the field "on znver4", one of --other-cpu. Zero cycles mean that the region cannot be simulated there;
/// the remark says why.
std::string otherCpuText(const analysis::wire::CpuSummary &other, const CheckRegion &region) {
  const bool isBound = isLowerBound(region) || other.isLowerBound;
  const std::string numbers = boundMark(isBound) + decimals(other.cycles, 2) + " cycles per iteration" +
                              (isBound ? "" : ", IPC " + decimals(other.ipc, 2));
  return (other.cycles > 0 ? numbers : "no numbers") + (other.remark.empty() ? "" : "; " + other.remark);
}

/// "0.125 cycles per iteration, 32.0 times as fast: let the compiler …".
std::string adviceText(const CheckAdvice &advice) {
  return decimals(advice.cycles, advice.cycles < 1 ? 3 : 2) + " cycles per iteration, " +
         (advice.isLowerBound ? "at least " : "") + decimals(advice.factor, 1) + " times as fast" +
         (advice.from ? " from " + std::to_string(advice.from) + " iterations on" : "") +
         (advice.ifRandom      ? " if its branches are random"
          : advice.ifPredicted ? " if the CPU predicts its branches"
                               : "") +
         (advice.unaligned > 0 && wording::isAnotherFactor(advice.unaligned, advice.factor)
              ? ", " + decimals(advice.unaligned, 1) + " times if data begin 16 bytes behind a line"
              : "") +
         ": " + advice.words;
}

/// Adds a line to a region's block, unless the value is empty.
void addField(std::string &block, const std::string &name, const std::string &value) {
  if (!value.empty())
    block += "  " + name + ": " + displayLine(value) + "\n";
}

/// Cycles and IPC are the calibrated machine's: what LLVM's model says of them, and what limits them.
void addCalibrated(const CheckRegion &region, std::string &block) {
  const analysis::wire::CalibratedNumbers &calibrated = region.numbers.calibrated;
  if (!isCalibrated(region.numbers))
    return;
  const double cycles = cyclesPerSourceIteration(calibrated.llvmCycles, region.sourceIterations);
  addField(block, "in LLVM's model",
           boundMark(isLowerBound(region)) + decimals(cycles, 2) + " cycles per iteration" +
               (isLowerBound(region) ? "" : ", IPC " + decimals(calibrated.llvmIpc, 2)));
  if (dependsOnAlignment(region.numbers))
    addField(block, "if data begin 16 bytes behind a line",
             boundMark(isLowerBound(region)) +
                 decimals(cyclesPerSourceIteration(calibrated.unalignedCycles, region.sourceIterations), 2) +
                 " cycles per iteration");
  if (calibrated.fromLlvm)
    addField(block, "with LLVM's values",
             std::to_string(calibrated.fromLlvm) + " of " + std::to_string(region.numbers.instructions) +
                 " instructions");
  std::string bounds;
  for (const analysis::wire::ResourceUse &bound : calibrated.bounds)
    bounds += (bounds.empty() ? "" : ", ") + bound.name + " " + decimals(bound.perIteration, 2);
  addField(block, "limits", bounds);
}

/// The fields of llvm-mca's summary view have its names, so that a reader can compare.
void addNumbers(const CheckRegion &region, std::string &block) {
  const analysis::wire::Simulation &numbers = region.numbers;
  const bool isBound = isLowerBound(region);
  addField(block, "cycles per iteration", boundMark(isBound) + decimals(cyclesOf(region), 2));
  addField(block, "IPC", isBound ? "" : decimals(numbers.ipc, 2));
  addCalibrated(region, block);
  addField(block, "iterations", std::to_string(numbers.iterations));
  addField(block, "instructions", std::to_string(numbers.instructions) + " per iteration");
  addField(block, "cycles", std::to_string(numbers.cycles));
  addField(block, "uops", std::to_string(numbers.microOps));
  addField(block, "dispatch width", std::to_string(numbers.dispatchWidth));
  if (region.sourceIterations > 1)
    addField(block, "source iterations", std::to_string(region.sourceIterations) + " in one");
  if (region.share >= 0)
    addField(block, "share", decimals(region.share * 100, 1) + " % of the iterations");
  if (isProfiled(region))
    addField(block, "profile",
             (region.profile.isByLines ? "≈ " : "") + wording::shareInWords(region.profile.share) +
                 (region.profile.cyclesPerIteration > 0
                      ? ", " + decimals(region.profile.cyclesPerIteration, 2) + " cycles per iteration in the program" +
                            (region.profile.isOutsideOfCore ? ", outside of the core" : "")
                      : ""));
  else if (!region.profile.change.empty())
    addField(block, "profile",
             wording::shareInWords(region.profile.share) +
                 " in the whole function, whose code has changed since: " + region.profile.change);
  std::string calls, pressure;
  for (const std::string &function : region.calls)
    calls += (calls.empty() ? "" : ", ") + function;
  addField(block, "calls, not simulated", calls);
  addField(block, "average IPC", decimals(numbers.averageIpc, 2));
  addField(block, "average uops/cycle", decimals(numbers.averageMicroOpsPerCycle, 2));
  addField(block, "block rthroughput", decimals(numbers.blockReciprocalThroughput, 1));
  for (const analysis::wire::ResourceUse &use : numbers.pressure)
    pressure += (pressure.empty() ? "" : " ") + use.name + "=" + decimals(use.perIteration, 2);
  addField(block, "pressure", pressure);
}

/// Along a trace, or the bound without one; then a line for each branch.
void addFlow(const CheckRegion &region, std::string &block) {
  const analysis::wire::ControlFlow &flow = region.flow.numbers;
  if (region.flow == CheckFlow())
    return;
  const auto cycles = [&](double ofMachine) { // as the other cycles of the block
    return decimals(cyclesPerSourceIteration(ofMachine, region.sourceIterations), 2) + " cycles per iteration";
  };
  const auto percent = [](double share) { return decimals(share * 100, 1) + " %"; };
  const bool isTraced = wording::isTraced(flow);
  const std::string bound = boundMark(!flow.calls.empty() || !region.leftOut.empty());
  addField(block, isTraced ? "along " + wording::traceInWords(flow) : "if branches are as random as expected",
           bound + cycles(flow.cycles) + ", with perfect prediction " + bound + cycles(flow.perfectCycles) +
               (isTraced ? ", predictor " + flow.predictor : "") + ", mispredict penalty " +
               std::to_string(flow.mispredictPenalty));
  for (const CheckBranch &branch : region.flow.branches)
    addField(block, branch.line ? "branch in line " + std::to_string(branch.line) : "branch",
             branch.cost.text + ", taken " + percent(branch.cost.taken) + ", mispredicted " +
                 percent(branch.cost.missed) + ", " + cycles(branch.cost.cyclesPerIteration) +
                 (branch.cost.load.empty() ? "" : ", waits for " + branch.cost.load) +
                 (branch.loadLine ? " in line " + std::to_string(branch.loadLine) : ""));
}

/// "not vectorized: an iteration may need what an earlier one stored (line 7)".
std::string reasonText(const CheckReason &reason) {
  const bool isVectorizers = wording::isVectorizers(reason.pass);
  const std::string place = reason.at.path.empty() ? "line " + std::to_string(reason.at.line)
                                                   : reason.at.path + ":" + std::to_string(reason.at.line);
  return (isVectorizers ? "not vectorized: " : "") + reason.words + (reason.at.line ? " (" + place + ")" : "");
}

/// The numbers, then what limits the region, what makes them uncertain, and what they are compared with.
std::string regionBlock(const CheckRegion &region, const CheckFile &file, const PageStyle &style) {
  const std::string name = region.name.empty() ? "(unnamed)" : displayLine(region.name);
  std::string block = displayLine(file.name) + ": region " + colored(style.color, Color::Bold, name) + " (" +
                      nameOf(region.kind) + "), " + lineRange(region) + "\n";
  addNumbers(region, block);
  addField(block, "bottleneck", region.bottleneck);
  for (const std::string &caveat : region.caveats)
    addField(block, "caveat", caveat);
  for (const std::string &correction : region.corrections)
    addField(block, "model", correction);
  if (!region.whyNot.empty())
    addField(block, "why not", reasonText(region.whyNot.front()));
  addFlow(region, block);
  for (const analysis::wire::CpuSummary &other : region.numbers.otherCpus)
    addField(block, "on " + displayLine(other.cpu), otherCpuText(other, region));
  for (const wording::BudgetResult &budget : region.budgets)
    addField(block, "budget", budgetText(budget));
  for (const CheckAdvice &advice : region.advice)
    addField(block, "advice", adviceText(advice));
  if (region.isAdvised && region.advice.empty())
    addField(block, "advice", "no change that was tried makes it faster");
  for (const std::string &tried : region.tried)
    addField(block, "tried", tried);
  addField(block, "baseline", changeOf(region));
  if (!region.through.empty())
    addField(block, "seen through", seenThrough(region));
  return block + analysis::visibleText(region.listing);
}

/// "2 loops left no machine loop (line 7 unrolled completely, 8 iterations; line 9)".
std::string vanishedLoops(const CheckCoverage &coverage) {
  constexpr size_t kNamed = 8;
  std::vector<std::string> named;
  for (const uint32_t line : coverage.vanished) {
    const auto fate = std::ranges::find(coverage.fates, line, &CheckFate::line);
    named.push_back("line " + std::to_string(line) + (fate == coverage.fates.end() ? "" : " " + fate->words));
  }
  const size_t count = named.size(), more = count - std::min(count, kNamed);
  named.resize(count - more);
  return analysis::counted(count, "loop") + " left no machine loop (" + boost::algorithm::join(named, "; ") +
         (more ? "; and " + std::to_string(more) + " more" : "") + ")";
}

/// Says how much of the code the numbers are about; nothing for a file without loops.
std::string coverageLine(const CheckFile &file) {
  const CheckCoverage &coverage = file.coverage;
  std::vector<std::string> parts;
  if (coverage.loops)
    parts.push_back(std::to_string(coverage.hinted) + " of " + std::to_string(coverage.loops) +
                    " innermost loops have a hint");
  if (coverage.elsewhere)
    parts.push_back(std::to_string(coverage.elsewhere) + " belong to no line of this file");
  if (!coverage.vanished.empty())
    parts.push_back(vanishedLoops(coverage));
  return parts.empty() ? "" : displayLine(file.name) + ": coverage: " + boost::algorithm::join(parts, ", ") + "\n";
}

/// What the numbers rest on: a CPU that nobody named, or a borrowed model, explains numbers that look wrong.
std::string targetLines(const CheckFile &file) {
  const analysis::wire::TargetSummary &target = file.target;
  std::string lines;
  const auto add = [&](const char *name, const std::string &value) {
    if (!value.empty())
      lines += displayLine(file.name + ": " + name + ": " + value) + "\n";
  };
  add("compile command", target.commandOrigin);
  if (target.triple.empty())
    return lines; // the file did not compile
  add("target", target.triple + " " + target.cpu + (target.features.empty() ? "" : " " + target.features) +
                    (target.cpuOrigin.empty() ? "" : " (" + target.cpuOrigin + ")"));
  add("model", target.modelOrigin);
  add("calibration", wording::calibrationInWords(target.calibration));
  return lines;
}

struct SeverityStyle {
  const char *name;
  Color color;
};

/// By analysis::wire::Severity, which begins at 1 as in LSP 3.17 (DiagnosticSeverity).
constexpr SeverityStyle kSeverityStyles[] = {{"", Color::None},
                                             {"error", Color::Red},
                                             {"warning", Color::Yellow},
                                             {"remark", Color::Cyan},
                                             {"hint", Color::Green}};

std::string place(const std::string &name, const CheckPlace &at) {
  return displayLine(name) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

/// In per cent, rounded as it is shown. 0 if the baseline is 0: there is no ratio.
long percentChange(const CheckRegion &region) {
  const double before = *region.baseline;
  return before > 0 ? std::lround((cyclesOf(region) - before) / before * 100) : 0;
}

} // namespace

std::string compilerStyle(const CheckFinding &finding, const std::string &name, const PageStyle &style) {
  const SeverityStyle &severity = kSeverityStyles[static_cast<size_t>(finding.severity)];
  std::string lines = colored(style.color, Color::Bold, place(name, finding.at)) +
                      colored(style.color, severity.color, severity.name) + ": " + displayLine(finding.message) + " [" +
                      finding.code + "]\n";
  for (const CheckRelated &related : finding.related)
    lines += (related.path.empty() ? place(name, related.at)
                                   : displayLine(related.path) + ":" + std::to_string(related.at.line) + ": ") +
             colored(style.color, Color::Dim, "note") + ": " + displayLine(related.message) + "\n";
  return lines;
}

bool looksChanged(const CheckRegion &region) {
  return region.baseline && percentChange(region) != 0;
}

std::string changeOf(const CheckRegion &region) {
  if (!region.baseline)
    return "";
  const int digits = region.sourceIterations > 1 ? 2 : 1; // as in the editor (workspace/comparison.cpp)
  // Both numbers are bounds: regions that call other functions than before are not compared (check_baseline.h).
  const std::string bound = boundMark(isLowerBound(region));
  const long change = percentChange(region);
  return bound + decimals(*region.baseline, digits) + " → " + bound + decimals(cyclesOf(region), digits) + " cyc (" +
         (change > 0   ? "+"
          : change < 0 ? "−"
                       : "±") +
         std::to_string(std::labs(change)) + " %)";
}

std::string checkReport(const CheckFile &file, const PageStyle &style) {
  std::string report = targetLines(file);
  for (const CheckRegion &region : file.regions)
    report += regionBlock(region, file, style);
  report += coverageLine(file);
  for (const CheckHint &hint : file.hints)
    report += displayLine(file.name) + ":" + std::to_string(hint.line) +
              ": hint: " + colored(style.color, Color::Green, displayLine(hint.label)) + "\n";
  for (CheckFinding finding : file.findings)
    if (!isOfSetUp(finding)) {
      finding.message = messageOf(file, finding);
      report += compilerStyle(finding, file.name, style);
    }
  return report;
}

} // namespace lsp

// The report with all numbers, and findings in compiler style.
#include "lsp/check/check_report.h"

#include "analysis/common/counts.h"
#include "analysis/wire/enum_names.h"
#include "lsp/check/run_wide.h"
#include "lsp/check/terminal.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::decimals;
using analysis::wire::Severity;
using analysis::wire::TargetSummary;
using protocol::CheckFile;
using protocol::CheckFinding;
using protocol::CheckPlace;
using protocol::CheckRegion;

std::string field(const std::string &name, const std::string &value) {
  return "  " + name + ": " + value + "\n";
}

std::string lineRange(const CheckRegion &region) {
  const std::string first = std::to_string(region.firstLine);
  return region.firstLine == region.lastLine ? "line " + first
                                             : "lines " + first + "-" + std::to_string(region.lastLine);
}

std::string budgetText(const wording::BudgetResult &budget) {
  const std::string limit = (budget.what == "cycles" ? "at most " : "at least ") + decimals(budget.limit, 2) + " " +
                            budget.what + " on " + budget.cpu + ": ";
  const std::string value = budget.value > 0 ? decimals(budget.value, 2) + ", " : "";
  return limit + (!budget.checked ? (budget.value > 0 && budget.what == "cycles" ? "≥ " + value : "") + "not checked"
                                  : value + (budget.met ? "met" : "not met"));
}

/// "a.c; 3 further commands make the same of it, 1 makes something else".
std::string seenThrough(const CheckRegion &region) {
  std::string text = displayLine(region.through);
  const char *separator = region.alike + region.different == 1 ? "; 1 further command" : "; further commands:";
  if (region.alike + region.different == 0)
    return text;
  if (region.alike + region.different == 1)
    return text + separator + (region.alike ? " makes the same of it" : " makes something else of it");
  if (region.alike)
    text +=
        separator + (" " + std::to_string(region.alike)) + (region.alike == 1 ? " makes" : " make") + " the same of it";
  if (region.different)
    text += (region.alike ? "," : separator) + (" " + std::to_string(region.different)) +
            (region.different == 1 ? " makes" : " make") + " something else of it";
  return text;
}

std::string regionBlock(const CheckRegion &checked, const CheckFile &file, const PageStyle &style) {
  const analysis::wire::Simulation &numbers = checked.numbers;
  const std::string name = checked.name.empty() ? "(unnamed)" : displayLine(checked.name);
  std::string block = file.name + ": region " + colored(style.color, Color::Bold, name) + " (" + nameOf(checked.kind) +
                      "), " + lineRange(checked) + "\n";
  block += field("cycles per iteration", decimals(cyclesOf(checked), 2));
  block += field("IPC", decimals(numbers.ipc, 2));
  block += field("iterations", std::to_string(numbers.iterations));
  block += field("instructions", std::to_string(numbers.instructions) + " per iteration");
  block += field("cycles", std::to_string(numbers.cycles));
  block += field("uops", std::to_string(numbers.microOps));
  block += field("dispatch width", std::to_string(numbers.dispatchWidth));
  if (checked.sourceIterations > 1)
    block += field("source iterations", std::to_string(checked.sourceIterations) + " in one");
  if (checked.share >= 0)
    block += field("share", decimals(checked.share * 100, 1) + " % of the iterations");
  std::string calls;
  for (const std::string &function : checked.calls)
    calls += (calls.empty() ? "" : ", ") + function;
  if (!calls.empty())
    block += field("calls, not simulated", displayLine(calls));
  block += field("average IPC", decimals(numbers.averageIpc, 2));
  block += field("average uops/cycle", decimals(numbers.averageMicroOpsPerCycle, 2));
  block += field("block rthroughput", decimals(numbers.blockReciprocalThroughput, 1));
  std::string pressure;
  for (const analysis::wire::ResourceUse &use : numbers.pressure)
    pressure += (pressure.empty() ? "" : " ") + use.name + "=" + decimals(use.perIteration, 2);
  if (!pressure.empty())
    block += field("pressure", pressure);
  if (!checked.bottleneck.empty())
    block += field("bottleneck", displayLine(checked.bottleneck));
  for (const std::string &caveat : checked.caveats)
    block += field("caveat", displayLine(caveat));
  for (const analysis::wire::CpuSummary &other : numbers.otherCpus)
    block +=
        field("on " + other.cpu, (other.cycles > 0 ? (checked.calls.empty() ? "" : "≥ ") + decimals(other.cycles, 2) +
                                                         " cycles per iteration, IPC " + decimals(other.ipc, 2)
                                                   : std::string("no numbers")) +
                                     (other.remark.empty() ? "" : "; " + displayLine(other.remark)));
  for (const wording::BudgetResult &budget : checked.budgets)
    block += field("budget", budgetText(budget));
  if (checked.baseline)
    block += field("baseline", changeOf(checked));
  if (!checked.through.empty())
    block += field("seen through", seenThrough(checked));
  if (!checked.listing.empty())
    block += checked.listing;
  return block;
}

std::string coverageLine(const CheckFile &file) {
  const analysis::wire::Coverage &coverage = file.coverage;
  if (!coverage.loops)
    return "";
  std::string line = file.name + ": coverage: " + std::to_string(coverage.hinted) + " of " +
                     std::to_string(coverage.loops) + " innermost loops have a hint";
  if (coverage.elsewhere)
    line += ", " + std::to_string(coverage.elsewhere) + " belong to no line of this file";
  return line + "\n";
}

/// A file that did not compile has no target.
std::string targetLines(const CheckFile &file) {
  const TargetSummary &target = file.target;
  std::string lines;
  if (!target.commandOrigin.empty())
    lines += file.name + ": compile command: " + target.commandOrigin + "\n";
  if (target.triple.empty())
    return lines;
  lines += file.name + ": target: " + target.triple + " " + target.cpu;
  if (!target.features.empty())
    lines += " " + target.features;
  if (!target.cpuOrigin.empty())
    lines += " (" + target.cpuOrigin + ")";
  lines += "\n" + file.name + ": model: " + target.modelOrigin + "\n";
  return lines;
}

struct SeverityStyle {
  const char *name;
  Color color;
};

SeverityStyle severityStyle(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return {"error", Color::Red};
  case Severity::Warning:
    return {"warning", Color::Yellow};
  case Severity::Information:
    return {"remark", Color::Cyan};
  case Severity::Hint:
    return {"hint", Color::Green};
  }
  return {"", Color::None};
}

std::string place(const std::string &name, const CheckPlace &at) {
  return name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

long percentChange(double before, double after) {
  return before > 0 ? std::lround((after - before) / before * 100) : 0;
}

/// "+25 %", with a sign of its own for what did not change.
std::string percentOf(double before, double after) {
  const long change = percentChange(before, after);
  return (change > 0 ? "+" : change < 0 ? "−" : "±") + std::to_string(std::labs(change)) + " %";
}

} // namespace

std::string compilerStyle(const CheckFinding &finding, const std::string &name, const PageStyle &style) {
  const SeverityStyle severity = severityStyle(finding.severity);
  std::string lines = colored(style.color, Color::Bold, place(name, finding.at)) +
                      colored(style.color, severity.color, severity.name) + ": " + displayLine(finding.message) + " [" +
                      finding.code + "]\n";
  for (const protocol::CheckRelated &related : finding.related) {
    const std::string where =
        related.path.empty() ? place(name, related.at) : related.path + ":" + std::to_string(related.at.line) + ": ";
    lines += where + colored(style.color, Color::Dim, "note") + ": " + displayLine(related.message) + "\n";
  }
  return lines;
}

bool looksChanged(const CheckRegion &region) {
  return region.baseline && percentChange(*region.baseline, cyclesOf(region)) != 0;
}

std::string changeOf(const CheckRegion &region) {
  if (!region.baseline)
    return "";
  const int digits = region.sourceIterations > 1 ? 2 : 1;
  const double before = *region.baseline, after = cyclesOf(region);
  const char *bound = region.calls.empty() ? "" : "≥ ";
  return bound + decimals(before, digits) + " → " + bound + decimals(after, digits) + " cyc (" +
         percentOf(before, after) + ")";
}

std::string checkReport(const CheckFile &file, const PageStyle &style) {
  std::string report = targetLines(file);
  for (const CheckRegion &region : file.regions)
    report += regionBlock(region, file, style);
  report += coverageLine(file);
  for (const protocol::CheckHint &hint : file.hints)
    report += file.name + ":" + std::to_string(hint.line) +
              ": hint: " + colored(style.color, Color::Green, displayLine(hint.label)) + "\n";
  for (CheckFinding finding : file.findings) {
    if (protocol::isOfSetUp(finding))
      continue;
    finding.message = messageOf(file, finding);
    report += compilerStyle(finding, file.name, style);
  }
  return report;
}

} // namespace lsp::features

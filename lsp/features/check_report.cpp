// The report with all numbers, and findings in compiler style.
#include "lsp/features/check_report.h"

#include "lsp/features/terminal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::RegionKind;
using analysis::wire::RegionSummary;
using analysis::wire::Severity;
using analysis::wire::TargetSummary;

/// Rounds half up, as llvm-mca does.
std::string decimals(double value, int digits) {
  const double scale = std::pow(10, digits);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, std::floor(value * scale + 0.5) / scale);
  return buffer;
}

std::string field(const std::string &name, const std::string &value) {
  return "  " + name + ": " + value + "\n";
}

std::string kindName(RegionKind kind) {
  switch (kind) {
  case RegionKind::Marker:
    return "marker";
  case RegionKind::Loop:
    return "loop";
  case RegionKind::Snippet:
    return "snippet";
  case RegionKind::Path:
    return "path";
  }
  return "";
}

std::string lineRange(analysis::wire::ByteRange at, const Text &text) {
  const uint32_t first = text.lineOf(at.begin) + 1;
  const uint32_t last = text.lineOf(at.end > at.begin ? at.end - 1 : at.end) + 1;
  return first == last ? "line " + std::to_string(first)
                       : "lines " + std::to_string(first) + "-" + std::to_string(last);
}

std::string regionBlock(const RegionSummary &region, const CheckedFile &file, const PageStyle &style) {
  const std::string name = region.name.empty() ? "(unnamed)" : displayLine(region.name);
  std::string block = file.name + ": region " + colored(style.color, Color::Bold, name) + " (" + kindName(region.kind) +
                      "), " + lineRange(region.at, file.text) + "\n";
  block += field("iterations", std::to_string(region.iterations));
  block += field("instructions", std::to_string(region.instructions) + " per iteration");
  block += field("cycles", std::to_string(region.cycles));
  block += field("uops", std::to_string(region.microOps));
  block += field("dispatch width", std::to_string(region.dispatchWidth));
  if (region.sourceIterations > 1)
    block += field("source iterations", std::to_string(region.sourceIterations) + " in one");
  if (region.share >= 0)
    block += field("share", decimals(region.share * 100, 1) + " % of the iterations");
  block += field("IPC", decimals(region.ipc, 2));
  block += field("uops/cycle", decimals(region.microOpsPerCycle, 2));
  block += field("block rthroughput", decimals(region.blockReciprocalThroughput, 1));
  std::string pressure;
  for (const analysis::wire::ResourceUse &use : region.pressure)
    pressure += (pressure.empty() ? "" : " ") + use.name + "=" + decimals(use.perIteration, 2);
  if (!pressure.empty())
    block += field("pressure", pressure);
  if (!region.bottleneck.empty())
    block += field("bottleneck", displayLine(region.bottleneck));
  for (const std::string &caveat : region.caveats)
    block += field("caveat", displayLine(caveat));
  for (const analysis::wire::CpuSummary &other : region.otherCpus)
    block += field("on " + other.cpu, (other.cycles > 0 ? decimals(other.cycles, 2) + " cycles per iteration, IPC " +
                                                              decimals(other.ipc, 2)
                                                        : std::string("no numbers")) +
                                          (other.remark.empty() ? "" : "; " + displayLine(other.remark)));
  if (!region.listing.empty())
    block += region.listing;
  return block;
}

std::string coverageLine(const CheckedFile &file) {
  const analysis::wire::Coverage &coverage = file.result.coverage;
  if (!coverage.loops)
    return "";
  std::string line = file.name + ": coverage: " + std::to_string(coverage.hinted) + " of " +
                     std::to_string(coverage.loops) + " innermost loops have a hint";
  if (coverage.elsewhere)
    line += ", " + std::to_string(coverage.elsewhere) + " belong to no line of this file";
  return line + "\n";
}

/// A file that did not compile has no target.
std::string targetLines(const CheckedFile &file) {
  const TargetSummary &target = file.result.target;
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

std::string place(const std::string &name, uint32_t offset, const Text &text) {
  const protocol::Position position = text.positionOf(offset, protocol::PositionEncoding::Utf8);
  return name + ":" + std::to_string(position.line + 1) + ":" + std::to_string(position.character + 1) + ": ";
}

} // namespace

std::string compilerStyle(const Finding &finding, const std::string &name, const Text &text, const PageStyle &style) {
  const SeverityStyle severity = severityStyle(finding.severity);
  std::string lines = colored(style.color, Color::Bold, place(name, finding.at.begin, text)) +
                      colored(style.color, severity.color, severity.name) + ": " + displayLine(finding.message) + " [" +
                      finding.code + "]\n";
  for (const analysis::wire::RelatedPlace &related : finding.related) {
    const std::string where = related.path.empty() ? place(name, related.at.begin, text)
                                                   : related.path + ":" + std::to_string(related.line) + ": ";
    lines += where + colored(style.color, Color::Dim, "note") + ": " + displayLine(related.message) + "\n";
  }
  return lines;
}

std::string checkReport(const CheckedFile &file, const PageStyle &style) {
  std::string report = targetLines(file);
  for (const RegionSummary &region : file.result.regions)
    report += regionBlock(region, file, style);
  report += coverageLine(file);
  for (const analysis::wire::Hint &hint : file.result.hints)
    report += file.name + ":" + std::to_string(file.text.lineOf(hint.offset) + 1) +
              ": hint: " + colored(style.color, Color::Green, displayLine(hint.label())) + "\n";
  for (const Finding &finding : file.result.findings)
    report += compilerStyle(finding, file.name, file.text, style);
  for (const std::string &note : file.result.notes)
    report += file.name + ": note: " + displayLine(note) + "\n";
  return report;
}

} // namespace lsp::features

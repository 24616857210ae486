#include "analysis/verdict/present.h"

#include "analysis/verdict/sections.h"
#include "analysis/verdict/timeline_text.h"
#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

constexpr size_t kPressureRows = 8;
constexpr size_t kChainRows = 6;
constexpr double kChainThatMatters = 0.5; ///< of the cycles: a loop counter's chain is none

double cyclesOf(const mca::Report &report) {
  return report.summary.cyclesPerIteration();
}

std::string tableOf(const mca::Summary &summary, size_t instructions, uint32_t sourceIterations) {
  const auto row = [](std::string name, const std::string &value) {
    name.resize(27, ' ');
    return name + value + "\n";
  };
  const double cycles = summary.cyclesPerIteration();
  return (sourceIterations > 1
              ? row("Cycles per iteration", decimals(cycles / sourceIterations, 2)) +
                    row("Cycles per " + std::to_string(sourceIterations) + " iterations", decimals(cycles, 2))
              : row("Cycles per iteration",
                    decimals(cycles, 2) + (sourceIterations == 0 ? " of the machine code" : ""))) +
         row("IPC", decimals(summary.steadyIpc(), 2)) +
         row("uOps per cycle", decimals(summary.steadyMicroOpsPerCycle(), 2)) +
         row("Block RThroughput", decimals(summary.blockReciprocalThroughput, 1)) +
         row("Dispatch width", std::to_string(summary.dispatchWidth)) +
         row("Simulated", std::to_string(instructions) + " instructions × " + std::to_string(summary.iterations) +
                              (sourceIterations == 1 ? " iterations, " : " iterations of the machine code, ") +
                              std::to_string(summary.cycles) + " cycles, IPC " + decimals(summary.ipc(), 2));
}

/// The busiest units, with a bar that is full when the unit is busy in every cycle.
std::string pressureOf(const mca::Report &report) {
  const mca::ResourcePressure &pressure = report.pressure;
  std::vector<size_t> units;
  size_t width = 0;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kVisiblePressure)
      units.push_back(unit);
  std::stable_sort(units.begin(), units.end(),
                   [&](size_t a, size_t b) { return pressure.perIteration[a] > pressure.perIteration[b]; });
  const size_t shown = std::min(units.size(), kPressureRows);
  for (size_t i = 0; i < shown; ++i)
    width = std::max(width, unitName(pressure.units[units[i]]).size());
  std::string text;
  const double cycles = std::max(report.summary.cyclesPerIteration(), 1e-9);
  for (size_t i = 0; i < shown; ++i) {
    std::string name = unitName(pressure.units[units[i]]);
    name.resize(width + 2, ' ');
    std::string value = decimals(pressure.perIteration[units[i]], 2);
    value.insert(0, value.size() < 7 ? 7 - value.size() : 0, ' ');
    text += name + value + "  ";
    const auto bars = std::lround(std::min(1.0, pressure.perIteration[units[i]] / cycles) * 20);
    for (long bar = 0; bar < bars; ++bar)
      text += "█";
    text += '\n';
  }
  if (units.size() > shown)
    text += "and " + std::to_string(units.size() - shown) + " less busy units\n";
  return text;
}

/// The CPU of the hint and the others, a line each.
std::string cpuTable(const AnalysedRegion &analysed, const std::string &cpu) {
  size_t width = cpu.size();
  for (const OtherCpu &other : analysed.others)
    width = std::max(width, other.cpu.size());
  const auto row = [&](std::string name, const std::optional<mca::Summary> &summary, const std::string &remark) {
    name.resize(width + 2, ' ');
    if (!summary)
      return name + remark + "\n";
    const uint32_t several = std::max(analysed.region->sourceIterations, 1u);
    std::string cycles = decimals(summary->cyclesPerIteration() / several, 2);
    cycles.insert(0, cycles.size() < 8 ? 8 - cycles.size() : 0, ' ');
    // A lower bound has no IPC.
    const bool isBound = !analysed.region->calls.empty();
    return name + (isBound ? "≥ " : "") + cycles + " cyc" +
           (isBound ? "" : "  IPC " + decimals(summary->steadyIpc(), 2)) + (remark.empty() ? "" : "  ≈ " + remark) +
           "\n";
  };
  std::string table = row(cpu, analysed.report->summary, "");
  for (const OtherCpu &other : analysed.others)
    table += row(other.cpu, other.summary, other.remark);
  return table;
}

/// The longest loop-carried chain, where it takes much of the time: who passes what on, after how many cycles.
std::string chainOf(const AnalysedRegion &analysed) {
  if (!analysed.limit || analysed.limit->cyclesPerIteration < kChainThatMatters * cyclesOf(*analysed.report))
    return {};
  std::string text;
  const auto &chain = analysed.limit->chain;
  for (size_t i = 0; i < std::min(chain.size(), kChainRows); ++i) {
    const uint32_t line = analysed.region->lines[analysed.positions[chain[i].from]];
    std::string row = line ? "line " + std::to_string(line) : "";
    row.resize(std::max<size_t>(row.size() + 2, 11), ' ');
    row += flatText(analysed.report->instructions[chain[i].from].text);
    row.resize(std::max<size_t>(row.size() + 2, 50), ' ');
    text += row + registerInWords(chain[i].name) + " after " + std::to_string(chain[i].cycles) + "\n";
  }
  if (chain.size() > kChainRows)
    text += "and " + std::to_string(chain.size() - kChainRows) + " more\n";
  return text;
}

/// What is looked at most comes first.
void addSections(wire::RichText &text, const AnalysedRegion &analysed) {
  const mca::Report &report = *analysed.report;
  const Region &region = *analysed.region;
  if (report.timeline)
    add(text, Kind::Preformatted, timelineForHover(report));
  if (std::string pressure = pressureOf(report); !pressure.empty()) {
    add(text, Kind::Paragraph, "Resource pressure, cycles " + perIterations(region.sourceIterations) + ":");
    add(text, Kind::Preformatted, std::move(pressure));
  }
  if (std::string chain = chainOf(analysed); !chain.empty()) {
    add(text, Kind::Paragraph,
        "Longest loop-carried chain, " + decimals(analysed.limit->cyclesPerIteration, 1) + " cycles " +
            perIterations(region.sourceIterations) + ":");
    add(text, Kind::Preformatted, std::move(chain));
  }
}

/// What is looked at rarely.
void addRest(wire::RichText &text, const AnalysedRegion &analysed, const wire::TargetSummary &target) {
  const Region &region = *analysed.region;
  if (!analysed.others.empty()) {
    add(text, Kind::Paragraph, "On other CPUs, cycles " + perIterations(std::min(region.sourceIterations, 1u)) + ":");
    add(text, Kind::Preformatted, cpuTable(analysed, target.cpu));
  }
  if (!region.vectorTypes.empty())
    add(text, Kind::Paragraph, "Vector type: " + llvm::join(region.vectorTypes, "; ") + ".");
  if (!region.inlined.empty())
    add(text, Kind::Paragraph, "Inlined here: " + llvm::join(region.inlined, "; ") + ".");
  add(text, Kind::Preformatted,
      tableOf(analysed.report->summary, analysed.report->instructions.size(), region.sourceIterations));
  add(text, Kind::Paragraph, modelInWords(target));
}

} // namespace

std::string nameOf(const Region &region) {
  return region.name + (region.variant.empty() ? "" : ", " + region.variant) +
         (region.path.empty() ? "" : ", " + region.path);
}

wire::RegionSummary summarize(const AnalysedRegion &analysed, const TextLines &lines) {
  const mca::Summary &summary = analysed.report->summary;
  const mca::ResourcePressure &pressure = analysed.report->pressure;
  wire::RegionSummary result;
  const Region &region = *analysed.region;
  result.name = nameOf(region);
  result.instance = region.name;
  result.kind = region.kind;
  result.at = region.at;
  result.line = lines.lineOf(region.anchor) + 1;
  result.loop = region.loop;
  result.sourceIterations = region.sourceIterations;
  result.share = region.share.value_or(-1);
  result.iterationsPerCall = region.iterationsPerCall;
  result.instructions = static_cast<uint32_t>(analysed.report->instructions.size());
  result.cyclesPerIteration = summary.cyclesPerIteration();
  result.ipc = summary.steadyIpc();
  result.iterations = summary.iterations;
  result.cycles = summary.cycles;
  result.microOps = summary.microOps;
  result.dispatchWidth = summary.dispatchWidth;
  result.averageIpc = summary.ipc();
  result.averageMicroOpsPerCycle = summary.microOpsPerCycle();
  result.blockReciprocalThroughput = summary.blockReciprocalThroughput;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kVisiblePressure)
      result.pressure.push_back({unitName(pressure.units[unit]), pressure.perIteration[unit]});
  result.verdict = analysed.verdict;
  result.caveats = analysed.caveats;
  result.calls = region.calls;
  const uint32_t several = std::max(region.sourceIterations, 1u);
  for (const OtherCpu &other : analysed.others)
    result.otherCpus.push_back({other.cpu, other.summary ? other.summary->cyclesPerIteration() / several : 0,
                                other.summary ? other.summary->steadyIpc() : 0, other.remark});
  return result;
}

wire::Hover makeHover(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target) {
  const AnalysedRegion &first = onLine.front().front();
  wire::Hover hover{.at = first.region->at};
  for (const AnalysedLoop &other : onLine) {
    hover.at.begin = std::min(hover.at.begin, other.front().region->at.begin);
    hover.at.end = std::max(hover.at.end, other.front().region->at.end);
  }
  add(hover.contents, Kind::Heading, titleOf(*first.region) + ": " + labelOf(onLine.front()));
  addVerdict(hover.contents, first);
  if (onLine.front().size() > 1)
    add(hover.contents, Kind::Paragraph,
        (first.region->path.starts_with("path") ? "On " : "On the path ") + first.region->path + ":");
  addSections(hover.contents, first);
  addPaths(hover.contents, onLine.front());
  addOthers(hover.contents, onLine);
  addRest(hover.contents, first, target);
  return hover;
}

} // namespace analysis

#include "analysis/insight/present.h"

#include "analysis/insight/timeline_text.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace analysis {
namespace {

constexpr size_t kPressureRows = 12;

void add(wire::RichText &text, wire::Block::Kind kind, std::string content) {
  text.push_back({kind, std::move(content)});
}

/// "3.0", or "3.0–5.0" when the two differ as they are shown.
std::string range(double low, double high, int decimals) {
  const std::string first = mca::formatRounded(low, decimals), last = mca::formatRounded(high, decimals);
  return first == last ? first : first + "–" + last;
}

/// "IPC 2.37 · 4.0 cyc", over all paths. Where a vector body or an unrolled one does several iterations of the source's
/// loop at once, the cycles are of one of those: "IPC 2.37 · 0.50 cyc/iter".
std::string labelOf(const AnalysedLoop &loop) {
  double leastIpc = 1e300, mostIpc = 0, leastCycles = 1e300, mostCycles = 0;
  bool uncertain = false;
  for (const AnalysedRegion &path : loop) {
    const mca::Summary &summary = path.report->summary;
    leastIpc = std::min(leastIpc, summary.ipc());
    mostIpc = std::max(mostIpc, summary.ipc());
    leastCycles = std::min(leastCycles, summary.cyclesPerIteration());
    mostCycles = std::max(mostCycles, summary.cyclesPerIteration());
    uncertain |= !path.caveats.empty();
  }
  const uint32_t several = std::max(loop.front().region->sourceIterations, 1u);
  const std::string cycles = several == 1 ? range(leastCycles, mostCycles, 1) + " cyc"
                                          : range(leastCycles / several, mostCycles / several, 2) + " cyc/iter";
  return "IPC " + range(leastIpc, mostIpc, 2) + " · " + cycles + (uncertain ? " ≈" : "");
}

std::string titleOf(const Region &region) {
  if (region.kind == wire::RegionKind::Marker)
    return region.name.empty() ? "marked region" : "region " + region.name;
  return region.name + (region.variant.empty() ? "" : ", " + region.variant);
}

std::string percent(double share) {
  return share > 0 && share < 0.01 ? "under 1 %" : std::to_string(std::lround(share * 100)) + " %";
}

std::string numbersOf(const mca::Summary &summary, size_t instructions, uint32_t sourceIterations) {
  const auto row = [](const char *name, const std::string &value) {
    std::string line = name;
    line.resize(24, ' ');
    return line + value + "\n";
  };
  const double cycles = summary.cyclesPerIteration();
  return row("Cycles per iteration", mca::formatRounded(cycles, 2)) +
         (sourceIterations > 1 ? row("per source iteration", mca::formatRounded(cycles / sourceIterations, 2)) : "") +
         row("IPC", mca::formatRounded(summary.ipc(), 2)) +
         row("uOps per cycle", mca::formatRounded(summary.microOpsPerCycle(), 2)) +
         row("Block RThroughput", mca::formatRounded(summary.blockReciprocalThroughput, 1)) +
         row("Dispatch width", std::to_string(summary.dispatchWidth)) +
         row("Simulated", std::to_string(instructions) + " instructions × " + std::to_string(summary.iterations) +
                              " iterations, " + std::to_string(summary.cycles) + " cycles");
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
    std::string value = mca::formatRounded(pressure.perIteration[units[i]], 2);
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

/// The verdict, and what the numbers rest on.
void addVerdict(wire::RichText &text, const AnalysedRegion &analysed) {
  using Kind = wire::Block::Kind;
  if (!analysed.verdict.sentence.empty()) {
    std::string sentence = analysed.verdict.sentence + ".";
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    add(text, Kind::Paragraph, std::move(sentence));
  }
  for (const std::string &caveat : analysed.caveats)
    add(text, Kind::Item, "≈ " + caveat);
  const auto &instructions = analysed.report->instructions;
  const bool loads = std::any_of(instructions.begin(), instructions.end(), [](const auto &i) { return i.mayLoad; });
  const bool stores = std::any_of(instructions.begin(), instructions.end(), [](const auto &i) { return i.mayStore; });
  if (loads && stores)
    add(text, Kind::Item, "no load is assumed to depend on one of the region's stores");
}

/// The paths through the loop, a line each. Shares are what the compiler expects.
void addPaths(wire::RichText &text, const AnalysedLoop &loop) {
  if (loop.size() == 1)
    return;
  const bool shares = loop.front().region->share.has_value();
  add(text, wire::Block::Kind::Paragraph,
      "The loop has several paths" +
          std::string(shares ? "; shares of the iterations as the compiler expects them:" : ":"));
  for (const AnalysedRegion &path : loop) {
    const std::string share = path.region->share ? ", " + percent(*path.region->share) : "";
    add(text, wire::Block::Kind::Item,
        path.region->path + share + ": " + labelOf({path}) +
            (path.verdict.sentence.empty() ? "" : "; " + path.verdict.sentence));
  }
}

/// The loops that share the line with the one shown, a line each.
void addOthers(wire::RichText &text, const std::vector<AnalysedLoop> &onLine) {
  for (size_t i = 1; i < onLine.size(); ++i)
    add(text, wire::Block::Kind::Item,
        "also here: " + titleOf(*onLine[i].front().region) + ", " +
            std::to_string(onLine[i].front().report->instructions.size()) + " instructions: " + labelOf(onLine[i]));
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
    std::string cycles = mca::formatRounded(summary->cyclesPerIteration(), 2);
    cycles.insert(0, cycles.size() < 8 ? 8 - cycles.size() : 0, ' ');
    return name + cycles + " cyc  IPC " + mca::formatRounded(summary->ipc(), 2) +
           (remark.empty() ? "" : "  ≈ " + remark) + "\n";
  };
  std::string table = row(cpu, analysed.report->summary, "");
  for (const OtherCpu &other : analysed.others)
    table += row(other.cpu, other.summary, other.remark);
  return table;
}

void addSections(wire::RichText &text, const AnalysedRegion &analysed, const wire::TargetSummary &target) {
  using Kind = wire::Block::Kind;
  const mca::Report &report = *analysed.report;
  add(text, Kind::Preformatted,
      numbersOf(report.summary, report.instructions.size(), analysed.region->sourceIterations));
  if (report.timeline)
    add(text, Kind::Preformatted, timelineForHover(report));
  const std::string pressure = pressureOf(report);
  if (!pressure.empty()) {
    add(text, Kind::Paragraph, "Resource pressure, cycles per iteration:");
    add(text, Kind::Preformatted, pressure);
  }
  if (!analysed.others.empty()) {
    add(text, Kind::Paragraph, "On other CPUs, per iteration:");
    add(text, Kind::Preformatted, cpuTable(analysed, target.cpu));
  }
  const Region &region = *analysed.region;
  if (!region.vectorTypes.empty())
    add(text, Kind::Paragraph, "Vector type: " + llvm::join(region.vectorTypes, "; ") + ".");
  if (!region.inlined.empty())
    add(text, Kind::Paragraph, "Inlined here: " + llvm::join(region.inlined, "; ") + ".");
  add(text, Kind::Paragraph, "CPU " + target.cpu + " (" + target.cpuOrigin + "); " + target.modelOrigin + ".");
}

} // namespace

wire::RegionSummary summarize(const AnalysedRegion &analysed, const TextLines &lines) {
  const mca::Summary &summary = analysed.report->summary;
  const mca::ResourcePressure &pressure = analysed.report->pressure;
  wire::RegionSummary result;
  const Region &region = *analysed.region;
  result.name = region.name + (region.variant.empty() ? "" : ", " + region.variant) +
                (region.path.empty() ? "" : ", " + region.path);
  result.kind = region.kind;
  result.at = region.at;
  result.line = lines.lineOf(region.anchor) + 1;
  result.loop = region.loop;
  result.sourceIterations = region.sourceIterations;
  result.share = region.share.value_or(-1);
  result.instructions = static_cast<uint32_t>(analysed.report->instructions.size());
  result.iterations = summary.iterations;
  result.cycles = summary.cycles;
  result.microOps = summary.microOps;
  result.dispatchWidth = summary.dispatchWidth;
  result.ipc = summary.ipc();
  result.microOpsPerCycle = summary.microOpsPerCycle();
  result.blockReciprocalThroughput = summary.blockReciprocalThroughput;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kVisiblePressure)
      result.pressure.push_back({unitName(pressure.units[unit]), pressure.perIteration[unit]});
  result.bottleneck = analysed.verdict.sentence;
  result.caveats = analysed.caveats;
  for (const OtherCpu &other : analysed.others)
    result.otherCpus.push_back({other.cpu, other.summary ? other.summary->cyclesPerIteration() : 0,
                                other.summary ? other.summary->ipc() : 0, other.remark});
  return result;
}

wire::Hint makeHint(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target) {
  using Kind = wire::Block::Kind;
  const AnalysedRegion &first = onLine.front().front();
  wire::Hint hint{.offset = first.region->anchor};
  hint.parts = {{labelOf(onLine.front()), {}}};
  if (onLine.size() > 1)
    hint.parts.push_back({" +" + std::to_string(onLine.size() - 1), {}});
  add(hint.tooltip, Kind::Heading, titleOf(*first.region));
  addVerdict(hint.tooltip, first);
  addPaths(hint.tooltip, onLine.front());
  addOthers(hint.tooltip, onLine);
  add(hint.tooltip, Kind::Paragraph, "CPU " + target.cpu + " (" + target.cpuOrigin + "); " + target.modelOrigin + ".");
  return hint;
}

wire::Hover makeHover(const std::vector<AnalysedLoop> &onLine, const wire::TargetSummary &target) {
  const AnalysedRegion &first = onLine.front().front();
  wire::Hover hover{.at = first.region->at};
  for (const AnalysedLoop &other : onLine) {
    hover.at.begin = std::min(hover.at.begin, other.front().region->at.begin);
    hover.at.end = std::max(hover.at.end, other.front().region->at.end);
  }
  add(hover.contents, wire::Block::Kind::Heading, titleOf(*first.region) + ": " + labelOf(onLine.front()));
  addVerdict(hover.contents, first);
  addPaths(hover.contents, onLine.front());
  addOthers(hover.contents, onLine);
  if (onLine.front().size() > 1)
    add(hover.contents, wire::Block::Kind::Paragraph, "The path " + first.region->path + ":");
  addSections(hover.contents, first, target);
  return hover;
}

} // namespace analysis

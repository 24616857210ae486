// The sections of a hover, what is looked at most first.
#include "analysis/wording/hover.h"

#include "analysis/wording/region_text.h"
#include "analysis/wording/timeline_text.h"
#include "analysis/wording/words.h"

#include <algorithm>
#include <cmath>

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

constexpr size_t kPressureRows = 8;
constexpr size_t kChainRows = 6;
constexpr double kChainThatMatters = 0.5; ///< of the cycles: a loop counter's chain is none

std::string padded(std::string text, size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text;
}

std::string rightAligned(std::string text, size_t columns) {
  text.insert(0, text.size() < columns ? columns - text.size() : 0, ' ');
  return text;
}

std::string joined(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : "; ") + text;
  return all;
}

std::string tableOf(const wire::RegionSummary &region) {
  const auto row = [](std::string name, const std::string &value) {
    return padded(std::move(name), 27) + value + "\n";
  };
  const double cycles = region.cyclesPerIteration;
  const uint32_t several = region.sourceIterations;
  return (several > 1
              ? row("Cycles per iteration", decimals(cycles / several, 2)) +
                    row("Cycles per " + std::to_string(several) + " iterations", decimals(cycles, 2))
              : row("Cycles per iteration", decimals(cycles, 2) + (several == 0 ? " of the machine code" : ""))) +
         row("IPC", decimals(region.ipc, 2)) + row("uOps per cycle", decimals(microOpsPerCycle(region), 2)) +
         row("Block RThroughput", decimals(region.blockReciprocalThroughput, 1)) +
         row("Dispatch width", std::to_string(region.dispatchWidth)) +
         row("Simulated", std::to_string(region.instructions) + " instructions × " + std::to_string(region.iterations) +
                              (several == 1 ? " iterations, " : " iterations of the machine code, ") +
                              std::to_string(region.cycles) + " cycles, IPC " + decimals(region.averageIpc, 2));
}

/// The busiest units, with a bar that is full when the unit is busy in every cycle.
std::string pressureOf(const wire::RegionSummary &region) {
  std::vector<wire::ResourceUse> units = region.pressure;
  std::stable_sort(units.begin(), units.end(),
                   [](const auto &a, const auto &b) { return a.perIteration > b.perIteration; });
  const size_t shown = std::min(units.size(), kPressureRows), more = units.size() - shown;
  units.resize(shown);
  size_t width = 0;
  for (const wire::ResourceUse &unit : units)
    width = std::max(width, unit.name.size());
  std::string text;
  const double cycles = std::max(region.cyclesPerIteration, 1e-9);
  for (const wire::ResourceUse &unit : units) {
    text += padded(unit.name, width + 2) + rightAligned(decimals(unit.perIteration, 2), 7) + "  ";
    const auto bars = std::lround(std::min(1.0, unit.perIteration / cycles) * 20);
    for (long bar = 0; bar < bars; ++bar)
      text += "█";
    text += '\n';
  }
  return text + (more ? "and " + std::to_string(more) + " less busy units\n" : "");
}

/// The CPU of the hint and the others, a line each.
std::string cpuTable(const wire::RegionSummary &region, const std::string &cpu) {
  size_t width = cpu.size();
  for (const wire::CpuSummary &other : region.otherCpus)
    width = std::max(width, other.cpu.size());
  const bool isBound = !region.calls.empty(); // a lower bound has no IPC
  const auto row = [&](const std::string &name, double cycles, double ipc, const std::string &remark) {
    return padded(name, width + 2) + (isBound ? "≥ " : "") + rightAligned(decimals(cycles, 2), 8) + " cyc" +
           (isBound ? "" : "  IPC " + decimals(ipc, 2)) + (remark.empty() ? "" : "  ≈ " + remark) + "\n";
  };
  std::string table = row(cpu, region.cyclesPerIteration / std::max(region.sourceIterations, 1u), region.ipc, "");
  for (const wire::CpuSummary &other : region.otherCpus)
    table += other.simulated ? row(other.cpu, other.cycles, other.ipc, other.remark)
                             : padded(other.cpu, width + 2) + other.remark + "\n";
  return table;
}

/// The longest loop-carried chain, where it takes much of the time: who passes what on, after how many cycles.
std::string chainOf(const ShownRegion &region) {
  if (region.chainCycles < kChainThatMatters * region.numbers.cyclesPerIteration)
    return {};
  std::string text;
  for (size_t i = 0; i < std::min(region.chain.size(), kChainRows); ++i) {
    const uint32_t line = region.chainLines[i];
    std::string row = line ? "line " + std::to_string(line) : "";
    row = padded(row, std::max<size_t>(row.size() + 2, 11)) + region.chainTexts[i];
    row = padded(row, std::max<size_t>(row.size() + 2, 50));
    text += row + registerInWords(region.chain[i].reg) + " after " + std::to_string(region.chain[i].cycles) + "\n";
  }
  if (region.chain.size() > kChainRows)
    text += "and " + std::to_string(region.chain.size() - kChainRows) + " more\n";
  return text;
}

void addSections(wire::RichText &text, const ShownRegion &region) {
  const uint32_t several = region.numbers.sourceIterations;
  if (!region.timeline.empty())
    add(text, Kind::Preformatted, timelineForHover(region));
  if (std::string pressure = pressureOf(region.numbers); !pressure.empty()) {
    add(text, Kind::Paragraph, "Resource pressure, cycles " + perIterations(several) + ":");
    add(text, Kind::Preformatted, std::move(pressure));
  }
  if (std::string chain = chainOf(region); !chain.empty()) {
    add(text, Kind::Paragraph,
        "Longest loop-carried chain, " + decimals(region.chainCycles, 1) + " cycles " + perIterations(several) + ":");
    add(text, Kind::Preformatted, std::move(chain));
  }
}

/// What is looked at rarely.
void addRest(wire::RichText &text, const ShownRegion &region, const wire::TargetSummary &target) {
  const wire::RegionSummary &numbers = region.numbers;
  if (!numbers.otherCpus.empty()) {
    add(text, Kind::Paragraph, "On other CPUs, cycles " + perIterations(std::min(numbers.sourceIterations, 1u)) + ":");
    add(text, Kind::Preformatted, cpuTable(numbers, target.cpu));
  }
  if (!region.vectorTypes.empty())
    add(text, Kind::Paragraph, "Vector type: " + joined(region.vectorTypes) + ".");
  if (!region.inlined.empty())
    add(text, Kind::Paragraph, "Inlined here: " + joined(region.inlined) + ".");
  add(text, Kind::Preformatted, tableOf(numbers));
  add(text, Kind::Paragraph, modelInWords(target));
}

} // namespace

wire::Hover makeHover(const std::vector<ShownLoop> &onLine, const wire::TargetSummary &target) {
  const ShownRegion &first = onLine.front().front();
  wire::Hover hover{.at = first.numbers.at, .contents = {}};
  for (const ShownLoop &other : onLine) {
    hover.at.begin = std::min(hover.at.begin, other.front().numbers.at.begin);
    hover.at.end = std::max(hover.at.end, other.front().numbers.at.end);
  }
  add(hover.contents, Kind::Heading, titleOf(first) + ": " + labelOf(onLine.front()));
  addVerdict(hover.contents, first);
  if (onLine.front().size() > 1)
    add(hover.contents, Kind::Paragraph, (first.path.starts_with("path") ? "On " : "On the path ") + first.path + ":");
  addSections(hover.contents, first);
  addPaths(hover.contents, onLine.front());
  addOthers(hover.contents, onLine);
  addRest(hover.contents, first, target);
  return hover;
}

} // namespace analysis

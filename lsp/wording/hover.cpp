// The sections of a hover, in the order in which readers need them: the numbers and what limits them, why the compiler
// did not do more, the timeline, the
// pressure, the chain, other paths and loops, then details.
#include "lsp/wording/hover.h"

#include "lsp/wording/calibration_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/measured_text.h"
#include "lsp/wording/profile_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/timeline_text.h"
#include "lsp/wording/why_not_text.h"
#include "lsp/workspace/region_numbers.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cmath>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;
using boost::algorithm::join;
using wire::CpuSummary;
using wire::ResourceUse;
using wire::Simulation;

// A hover shows about 13 rows before it scrolls: each table stays well below that.
constexpr size_t kPressureRows = 8;
constexpr size_t kChainRows = 6;
constexpr double kChainThatMatters = 0.5; // of the cycles; a loop counter's chain of one cycle is not worth a section

/// llvm-mca's summary view, with cycles and rates of the steady loop. What was simulated comes last.
std::string tableOf(const AnalysedRegion &region) {
  const auto row = [](std::string name, const std::string &value) {
    return padded(std::move(name), 27) + value + "\n";
  };
  const Simulation &numbers = *region.simulation;
  const double cycles = numbers.cyclesPerIteration;
  const uint32_t several = region.region.sourceIterations;
  return (several > 1
              ? row("Cycles per iteration", decimals(cycles / several, 2)) +
                    row("Cycles per " + std::to_string(several) + " iterations", decimals(cycles, 2))
              : row("Cycles per iteration", decimals(cycles, 2) + (several == 0 ? " of the machine code" : ""))) +
         row("IPC", decimals(numbers.ipc, 2)) +
         (isCalibrated(numbers) ? row("In LLVM's model", llvmNumbersInWords(region)) : "") +
         row(isCalibrated(numbers) ? "Slots per cycle" : "uOps per cycle", decimals(microOpsPerCycle(numbers), 2)) +
         row("Block RThroughput", decimals(numbers.blockReciprocalThroughput, 1)) +
         row("Dispatch width", std::to_string(numbers.dispatchWidth)) +
         row("Simulated", std::to_string(numbers.instructions) + " instructions × " +
                              std::to_string(numbers.iterations) +
                              (several == 1 ? " iterations, " : " iterations of the machine code, ") +
                              std::to_string(numbers.cycles) + " cycles, IPC " + decimals(numbers.averageIpc, 2));
}

/// The busiest units, each with a bar that is full (20 columns) if the unit is busy in every cycle.
std::string pressureOf(const Simulation &simulation) {
  std::vector<ResourceUse> units = simulation.pressure;
  std::ranges::stable_sort(units, std::greater(), &ResourceUse::perIteration);
  const size_t shown = std::min(units.size(), kPressureRows), more = units.size() - shown;
  units.resize(shown);
  size_t width = 0;
  for (const ResourceUse &unit : units)
    width = std::max(width, unit.name.size());
  std::string text;
  const double cycles = std::max(simulation.cyclesPerIteration, 1e-9);
  for (const ResourceUse &unit : units) {
    text += padded(unit.name, width + 2) + rightAligned(decimals(unit.perIteration, 2), 7) + "  ";
    const auto bars = std::lround(std::min(1.0, unit.perIteration / cycles) * 20);
    for (long bar = 0; bar < bars; ++bar)
      text += "█";
    text += '\n';
  }
  return text + (more ? "and " + std::to_string(more) + " less busy units\n" : "");
}

/// The CPU of the hint and those of the setting `cpus`, a line each, all in LLVM's models; a remark says what another
/// CPU's numbers are worth.
std::string cpuTable(const AnalysedRegion &region, const std::string &cpu) {
  const std::vector<CpuSummary> &others = region.simulation->otherCpus;
  size_t width = cpu.size();
  for (const CpuSummary &other : others)
    width = std::max(width, other.cpu.size());
  const bool isBound = isLowerBound(region.region);
  const auto row = [&](const std::string &name, double cycles, double ipc, const std::string &remark,
                       bool isBound) { // the IPC of a bound means nothing
    const double shown = cyclesPerSourceIteration(cycles, region.region.sourceIterations);
    return padded(name, width + 2) + (isBound ? "≥ " : "") + rightAligned(decimals(shown, 2), 8) + " cyc" +
           (isBound ? "" : "  IPC " + decimals(ipc, 2)) + (remark.empty() ? "" : "  ≈ " + remark) + "\n";
  };
  std::string table = row(cpu, llvmCycles(*region.simulation), llvmIpc(*region.simulation), "", isBound);
  for (const CpuSummary &other : others)
    table += other.simulated ? row(other.cpu, other.cycles, other.ipc, other.remark, isBound || other.isLowerBound)
                             : padded(other.cpu, width + 2) + other.remark + "\n";
  return table;
}

/// The longest loop-carried chain if it takes much of the time: each link with its line, instruction, register and the
/// cycles until the register's value is there.
std::string chainOf(const AnalysedRegion &region, const Text &source) {
  const Simulation &numbers = *region.simulation;
  if (numbers.chainCycles < kChainThatMatters * numbers.cyclesPerIteration)
    return {};
  std::string text;
  for (size_t i = 0; i < std::min(numbers.chain.size(), kChainRows); ++i) {
    const wire::ChainLink &link = numbers.chain[i];
    const wire::ByteRange at = region.region.places[link.instruction];
    std::string row = at.begin < at.end ? "line " + std::to_string(source.lineOf(at.begin) + 1) : "";
    row = padded(row, std::max<size_t>(row.size() + 2, 11)) + numbers.body[link.instruction].text;
    row = padded(row, std::max<size_t>(row.size() + 2, 50));
    text += row + registerInWords(link.reg) + " after " + std::to_string(link.cycles) + "\n";
  }
  if (numbers.chain.size() > kChainRows)
    text += "and " + std::to_string(numbers.chain.size() - kChainRows) + " more\n";
  return text;
}

/// The timeline, the resource pressure and the chain of the first path.
void addSections(RichText &text, const AnalysedRegion &region, const Text &source) {
  const uint32_t several = region.region.sourceIterations;
  const Simulation &numbers = *region.simulation;
  if (!numbers.timeline.empty())
    add(text, Kind::Preformatted, timelineForHover(numbers));
  if (std::string pressure = pressureOf(numbers); !pressure.empty()) {
    add(text, Kind::Paragraph, "Resource pressure, cycles " + perIterations(several) + ":");
    add(text, Kind::Preformatted, std::move(pressure));
  }
  if (std::string chain = chainOf(region, source); !chain.empty()) {
    add(text, Kind::Paragraph,
        "Longest loop-carried chain, " + decimals(numbers.chainCycles, 1) + " cycles " + perIterations(several) + ":");
    add(text, Kind::Preformatted, std::move(chain));
  }
}

/// Other CPUs, vector types, inlined code, the summary and the model.
void addDetails(RichText &text, const AnalysedRegion &shown, const wire::TargetSummary &target) {
  const wire::Region &region = shown.region;
  if (!shown.simulation->otherCpus.empty()) {
    add(text, Kind::Paragraph,
        std::string("On other CPUs, cycles ") + perIterations(std::min(region.sourceIterations, 1u)) +
            (isCalibrated(*shown.simulation) ? ", all in LLVM's models:" : ":"));
    add(text, Kind::Preformatted, cpuTable(shown, target.cpu));
  }
  if (!region.vectorTypes.empty())
    add(text, Kind::Paragraph, "Vector type: " + join(region.vectorTypes, "; ") + ".");
  if (!region.pointers.empty())
    add(text, Kind::Paragraph, "Memory as the text says: " + join(region.pointers, "; ") + ".");
  if (!region.inlined.empty())
    add(text, Kind::Paragraph, "Inlined here: " + join(region.inlined, "; ") + ".");
  add(text, Kind::Preformatted, tableOf(shown));
  add(text, Kind::Paragraph, modelInWords(target));
}

} // namespace

RichText makeHover(const LoopsOfLine &onLine, const wire::TargetSummary &target, const Text &text, uint64_t now) {
  const ShownLoop loop = shownPaths(onLine.front());
  const AnalysedRegion &first = *loop.front();
  const std::string &path = first.region.path;
  RichText hover;
  add(hover, Kind::Heading, titleOf(first) + ": " + labelOf(loop));
  addVerdict(hover, loop);
  if (std::string reasons = whyNotInWords(first.region, text); !reasons.empty())
    add(hover, Kind::Paragraph, std::move(reasons));
  addCalibration(hover, loop, target);
  addBounds(hover, first);
  addProfiled(hover, onLine, target.profile);
  addMeasured(hover, loop, target);
  addFlow(hover, loop, text);
  addBranches(hover, loop, text, now);
  if (onLine.front().size() > 1)
    add(hover, Kind::Paragraph, (path.starts_with("path") ? "On " : "On the path ") + path + ":");
  addSections(hover, first, text);
  addPaths(hover, onLine.front());
  addOthers(hover, onLine);
  addDetails(hover, first, target);
  return hover;
}

} // namespace lsp::wording

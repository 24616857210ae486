// All numbers are those of the steady loop. Cycles are divided by the source iterations that the code does at once, so
// that a scalar loop and its vectorized form can be compared.
#include "lsp/wording/region_text.h"

#include "lsp/wording/caveat_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;

constexpr size_t kMostOthers = 8;
constexpr double kSameNumbers = 0.05; // of the cycles: a smaller difference is not worth a line

/// Allocators align to 16 bytes, and lines of the cache have 64: a vector of 64 bytes then always lies in two of them.
void addAlignment(RichText &text, const AnalysedRegion &region) {
  if (dependsOnAlignment(*region.simulation))
    add(text, Kind::Item,
        "its data are assumed to begin a line of the cache; 16 bytes behind, as memory from malloc may: " +
            decimals(region.simulation->calibrated.unalignedCycles, 1) + " cycles " +
            perIterations(region.region.sourceIterations));
}

/// What is assumed about memory, as llvm-mca does by default (its option -noalias), and how much depends on it.
void addMemory(RichText &text, const AnalysedRegion &region) {
  if (!region.simulation->loadsAndStores)
    return;
  if (isCalibrated(*region.simulation))
    return add(text, Kind::Item,
               "a load is assumed to depend on one of the region's stores only if the code shows that their addresses "
               "are the same");
  const uint32_t loads = region.simulation->operandLoads;
  const std::string assumed = (loads ? counted(loads, "load") + (loads == 1 ? " waits" : " wait") +
                                           " for the store to the same operand; no other"
                                     : "no") +
                              std::string(" load is assumed to depend on one of the region's stores");
  const double cycles = region.simulation->cyclesPerIteration, ordered = region.simulation->orderedCycles;
  if (ordered < 0) // not simulated
    return add(text, Kind::Item, assumed);
  if (std::abs(ordered - cycles) >= kSameNumbers * cycles)
    add(text, Kind::Item,
        assumed + "; if each had to wait for the stores before it: " + decimals(ordered, 1) + " cycles " +
            perIterations(region.region.sourceIterations));
}

/// Digits after the point: cycles of a source iteration may be below 1.
int digitsOf(const LoopNumbers &numbers) {
  return numbers.sourceIterations > 1 ? 2 : 1;
}

/// Per iteration of the source loop if it is known how many the code does at once. A lower bound is no range.
std::string shownCycles(const LoopNumbers &numbers) {
  const uint32_t several = std::max(numbers.sourceIterations, 1u);
  const int digits = digitsOf(numbers);
  if (numbers.bounded)
    return decimals(numbers.leastCycles / several, digits) + "–" + roughly(numbers.mostCycles / several, digits);
  const double most = numbers.isLowerBound() ? numbers.leastCycles : numbers.mostCycles;
  return rangeOf(numbers.leastCycles / several, most / several, digits);
}

/// Without a trace: the range must not look better than it is. A lower bound has none.
void addBound(LoopNumbers &numbers, const wire::ControlFlow &flow) {
  if (numbers.isLowerBound() || flow.cycles <= (1 + kSameNumbers) * numbers.mostCycles)
    return;
  numbers.bounded = true;
  numbers.mostCycles = flow.cycles;
  if (flow.iterations)
    numbers.leastIpc = std::min(numbers.leastIpc, static_cast<double>(flow.instructions) /
                                                      static_cast<double>(flow.iterations) / flow.cycles);
}

/// Nothing unless each path was measured.
void addMeasurements(LoopNumbers &numbers, const ShownLoop &loop) {
  if (!std::ranges::all_of(loop, [](const AnalysedRegion *path) { return path->measured != nullptr; }))
    return;
  const auto [least, most] =
      std::ranges::minmax(loop, {}, [](const AnalysedRegion *path) { return path->measured->cycles; });
  numbers.leastMeasured = least->measured->cycles;
  numbers.mostMeasured = most->measured->cycles;
  numbers.measuredElsewhere =
      std::ranges::any_of(loop, [](const AnalysedRegion *path) { return !path->measured->isComparable(); });
}

} // namespace

LoopNumbers pathNumbersOf(const ShownLoop &loop) {
  LoopNumbers numbers{.leastIpc = 1e300, .leastCycles = 1e300};
  for (const AnalysedRegion *path : loop) {
    const wire::Simulation &one = *path->simulation;
    numbers.leastIpc = std::min(numbers.leastIpc, one.ipc);
    numbers.mostIpc = std::max(numbers.mostIpc, one.ipc);
    numbers.leastCycles = std::min(numbers.leastCycles, one.cyclesPerIteration);
    numbers.mostCycles = std::max(numbers.mostCycles, one.cyclesPerIteration);
    for (const wire::Caveat &caveat : path->region.caveats)
      if (!leavesOut(caveat))
        numbers.uncertain = true;
      else if (std::ranges::find(numbers.leftOut, caveat) == numbers.leftOut.end())
        numbers.leftOut.push_back(caveat);
    for (const std::string &function : path->region.calls)
      if (std::ranges::find(numbers.calls, function) == numbers.calls.end())
        numbers.calls.push_back(function);
  }
  numbers.sourceIterations = loop.front()->region.sourceIterations;
  addMeasurements(numbers, loop);
  return numbers;
}

const wire::ControlFlow *flowOf(const ShownLoop &loop) {
  return std::ranges::any_of(loop, &AnalysedRegion::chosen) ? nullptr : loop.front()->flow.get();
}

MissNumbers missesOf(const wire::ControlFlow &flow) {
  MissNumbers misses;
  for (const wire::BranchCost &branch : flow.branches) {
    misses.executions += branch.executions;
    misses.perIteration += branch.executions * branch.missed;
  }
  if (misses.perIteration > 0)
    misses.cost = std::max(0.0, (flow.cycles - flow.perfectCycles) / misses.perIteration);
  return misses;
}

LoopNumbers numbersOf(const ShownLoop &loop) {
  LoopNumbers numbers = pathNumbersOf(loop);
  if (std::ranges::none_of(loop, &AnalysedRegion::chosen)) // the program took all paths
    numbers.observed = loop.front()->region.profiled.cycles;
  const wire::ControlFlow *flow = flowOf(loop);
  if (!flow)
    return numbers;
  if (!isTraced(*flow)) {
    addBound(numbers, *flow);
    return numbers;
  }
  const MissNumbers misses = missesOf(*flow);
  numbers.traced = true;
  numbers.leastMeasured = numbers.mostMeasured = -1;
  numbers.calls = flow->calls;
  numbers.leastCycles = numbers.mostCycles = flow->cycles;
  numbers.uncertain |= flow->isBarelyTrained;
  numbers.missed = misses.executions > 0 ? misses.perIteration / misses.executions : -1;
  numbers.missCost = misses.cost;
  return numbers;
}

double microOpsPerCycle(const wire::Simulation &simulation) {
  const double cycles = simulation.cyclesPerIteration;
  return simulation.iterations && cycles > 0 ? double(simulation.microOps) / simulation.iterations / cycles : 0;
}

std::string markOf(const LoopNumbers &numbers) {
  return boundMark(numbers.isLowerBound()) + (numbers.uncertain ? "≈ " : "");
}

std::string rangeOf(double low, double high, int digits) {
  const std::string first = decimals(low, digits), last = decimals(high, digits);
  return first == last ? first : first + "–" + last;
}

std::string roughly(double bound, int digits) {
  constexpr double kTen = 9.95; // less would be rounded to it
  return decimals(bound, bound < kTen ? digits : 0);
}

std::string missedLabelOf(const LoopNumbers &numbers) {
  return numbers.missed < 0 ? "" : decimals(numbers.missed * 100, 0) + " % missed";
}

std::string missCostLabelOf(const LoopNumbers &numbers) {
  constexpr double kVisible = 0.5; // of a per cent, of a cycle
  return numbers.missed * 100 < kVisible || numbers.missCost < kVisible ? "" : decimals(numbers.missCost, 0) + " each";
}

std::string cyclesLabelOf(const LoopNumbers &numbers) {
  return shownCycles(numbers) + (numbers.sourceIterations > 1 ? " cyc/iter" : " cyc");
}

std::string measuredLabelOf(const LoopNumbers &numbers) {
  if (numbers.leastMeasured < 0)
    return {};
  const uint32_t several = std::max(numbers.sourceIterations, 1u);
  return std::string(numbers.measuredElsewhere ? " (measured here " : " (measured ") +
         rangeOf(numbers.leastMeasured / several, numbers.mostMeasured / several, digitsOf(numbers)) + ")";
}

std::string observedLabelOf(const LoopNumbers &numbers) {
  if (numbers.observed <= 0)
    return {};
  return " (in program " + decimals(numbers.observed / std::max(numbers.sourceIterations, 1u), digitsOf(numbers)) + ")";
}

std::string cyclesInWords(const LoopNumbers &numbers) {
  return shownCycles(numbers) + " cycles " + perIterations(std::min(numbers.sourceIterations, 1u));
}

std::string labelOf(const LoopNumbers &numbers) {
  std::string label = markOf(numbers);
  if (!numbers.isLowerBound() && !numbers.traced)
    label += "IPC " + rangeOf(numbers.leastIpc, numbers.mostIpc, 2) + " · ";
  label += cyclesLabelOf(numbers) + observedLabelOf(numbers) + measuredLabelOf(numbers);
  for (const std::string &part : {missedLabelOf(numbers), missCostLabelOf(numbers)})
    label += part.empty() ? "" : " · " + part;
  return label;
}

std::string labelOf(const ShownLoop &loop) {
  return labelOf(numbersOf(loop));
}

std::string lowerBoundInWords(const std::vector<std::string> &calls, const std::vector<wire::Caveat> &caveats) {
  constexpr size_t kNamed = 8;
  std::vector<std::string> reasons;
  if (!calls.empty())
    reasons.push_back("calls " + listOf(calls, kNamed) + ", whose time is not in the cycles");
  for (const wire::Caveat &caveat : caveats)
    if (caveat.kind == wire::Caveat::Kind::UnreadLine)
      reasons.push_back("has " + (caveat.count > 1 ? std::to_string(caveat.count) + " lines" : "a line") +
                        " that could not be read");
    else if (caveat.kind == wire::Caveat::Kind::NoSchedulingData)
      reasons.push_back("has " + counted(caveat.count, "instruction") + " without scheduling data");
  return listOf(reasons, reasons.size());
}

std::vector<std::string> correctionsInWords(const AnalysedRegion &region) {
  std::vector<std::string> lines;
  for (const wire::Caveat &caveat : region.region.corrected)
    lines.push_back("corrected: " + inWords(caveat));
  const uint32_t several = region.region.sourceIterations;
  if (const double cycles = region.simulation->uncorrectedCycles; cycles > 0)
    lines.push_back("LLVM's model has " + decimals(cyclesPerSourceIteration(cycles, several), 2) + " cycles " +
                    perIterations(std::min(several, 1u)) + " without corrections");
  return lines;
}

std::string titleOf(const AnalysedRegion &region) {
  std::string name = region.region.name;
  if (region.region.kind == wire::RegionKind::Marker)
    name = name.empty() ? "marked region" : "region " + name;
  return name + (region.region.variant.empty() ? "" : ", " + region.region.variant);
}

std::string longNameOf(const wire::Region &region) {
  return (region.name.empty() ? "region" : "") + fullName(region);
}

std::string verdictParagraph(const AnalysedRegion &region) {
  std::string sentence = bottleneckOf(region);
  if (sentence.empty())
    return sentence;
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence + ".";
}

void addVerdict(RichText &text, const ShownLoop &loop) {
  const AnalysedRegion &region = *loop.front();
  const wire::ControlFlow *flow = flowOf(loop);
  if (std::string sentence = verdictParagraph(region); !sentence.empty())
    add(text, Kind::Paragraph, std::move(sentence));
  for (const Change &change : region.changes)
    add(text, Kind::Item, change.inWords());
  if (const auto &calls = flow && isTraced(*flow) ? flow->calls : region.region.calls; !calls.empty())
    add(text, Kind::Item, "≥ " + lowerBoundInWords(calls, {}));
  for (const wire::Caveat &caveat : region.region.caveats)
    add(text, Kind::Item, markedInWords(caveat));
  for (std::string &line : correctionsInWords(region))
    add(text, Kind::Item, std::move(line));
  addMemory(text, region);
  addAlignment(text, region);
}

void addPaths(RichText &text, const ShownLoop &loop) {
  if (loop.size() == 1)
    return;
  add(text, Kind::Paragraph,
      loop.front()->region.share >= 0
          ? "The loop has several paths; shares of the iterations as the compiler expects them:"
          : "The loop has several paths:");
  for (const AnalysedRegion *path : loop) {
    const wire::Region &one = path->region;
    const std::string bottleneck = bottleneckOf(*path);
    add(text, Kind::Item,
        one.path + (one.share >= 0 ? ", " + percent(one.share) : "") + ": " + labelOf(pathNumbersOf({path})) +
            (isLowerBound(one) ? "; " + lowerBoundInWords(one.calls, one.caveats) : "") +
            (bottleneck.empty() ? "" : "; " + bottleneck));
  }
}

void addOthers(RichText &text, const LoopsOfLine &onLine) {
  const size_t others = onLine.size() - 1, shown = std::min(others, kMostOthers);
  for (size_t i = 1; i <= shown; ++i)
    add(text, Kind::Item,
        "also here: " + titleOf(*onLine[i].front()) + ", " +
            std::to_string(onLine[i].front()->simulation->instructions) + " instructions: " + labelOf(onLine[i]));
  if (shown < others)
    add(text, Kind::Item, "and " + std::to_string(others - shown) + " more");
}

std::string modelInWords(const wire::TargetSummary &target) {
  std::string text = "CPU " + target.cpu + " (" + target.cpuOrigin + "); " + target.modelOrigin + ".";
  if (target.commands.size() < 2)
    return text;
  text += " This is the code of the command " + target.command + "; the file is also compiled by the command";
  const char *separator = " ";
  for (const std::string &other : target.commands)
    if (other != target.command)
      text += std::exchange(separator, ", and by the one ") + other;
  return text + ".";
}

} // namespace lsp::wording

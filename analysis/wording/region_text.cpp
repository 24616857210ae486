// The pieces of region_text.h.
#include "analysis/wording/region_text.h"

#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace analysis {
namespace {

using Kind = wire::Block::Kind;

constexpr size_t kMostOthers = 8;
constexpr double kSameNumbers = 0.05; ///< of the cycles: a difference below it is not worth a line

std::string percent(double share) {
  return share > 0 && share < 0.01 ? "under 1 %" : std::to_string(std::lround(share * 100)) + " %";
}

/// What is assumed of memory, or how much depends on it.
void addMemory(wire::RichText &text, const ShownRegion &region) {
  if (!region.loadsAndStores)
    return;
  const std::string assumed = "no load is assumed to depend on one of the region's stores";
  if (region.orderedCycles < 0)
    return add(text, Kind::Item, assumed);
  const double cycles = region.numbers.cyclesPerIteration;
  if (std::abs(region.orderedCycles - cycles) >= kSameNumbers * cycles)
    add(text, Kind::Item,
        assumed + "; if each had to wait for the stores before it: " + decimals(region.orderedCycles, 1) + " cycles " +
            perIterations(region.numbers.sourceIterations));
}

/// Of the source's loop, where the code does several of its iterations at once.
std::string shownCycles(const LoopNumbers &numbers) {
  const uint32_t several = std::max(numbers.sourceIterations, 1u);
  const double most = numbers.calls.empty() ? numbers.mostCycles : numbers.leastCycles;
  return rangeOf(numbers.leastCycles / several, most / several, several == 1 ? 1 : 2);
}

} // namespace

void add(wire::RichText &text, Kind kind, std::string content) {
  text.push_back({kind, std::move(content)});
}

LoopNumbers numbersOf(const ShownLoop &loop) {
  LoopNumbers numbers{.leastIpc = 1e300, .leastCycles = 1e300};
  for (const ShownRegion &path : loop) {
    const wire::RegionSummary &one = path.numbers;
    numbers.leastIpc = std::min(numbers.leastIpc, one.ipc);
    numbers.mostIpc = std::max(numbers.mostIpc, one.ipc);
    numbers.leastCycles = std::min(numbers.leastCycles, one.cyclesPerIteration);
    numbers.mostCycles = std::max(numbers.mostCycles, one.cyclesPerIteration);
    numbers.uncertain |= !one.caveats.empty();
    for (const std::string &function : one.calls)
      if (std::find(numbers.calls.begin(), numbers.calls.end(), function) == numbers.calls.end())
        numbers.calls.push_back(function);
  }
  numbers.sourceIterations = loop.front().numbers.sourceIterations;
  return numbers;
}

double microOpsPerCycle(const wire::RegionSummary &region) {
  return region.iterations && region.cyclesPerIteration > 0
             ? double(region.microOps) / region.iterations / region.cyclesPerIteration
             : 0;
}

std::string markOf(const LoopNumbers &numbers) {
  return std::string(numbers.calls.empty() ? "" : "≥ ") + (numbers.uncertain ? "≈ " : "");
}

std::string rangeOf(double low, double high, int digits) {
  const std::string first = decimals(low, digits), last = decimals(high, digits);
  return first == last ? first : first + "–" + last;
}

std::string cyclesLabelOf(const LoopNumbers &numbers) {
  return shownCycles(numbers) + (numbers.sourceIterations > 1 ? " cyc/iter" : " cyc");
}

std::string cyclesInWords(const LoopNumbers &numbers) {
  return shownCycles(numbers) + " cycles " + perIterations(std::min(numbers.sourceIterations, 1u));
}

std::string labelOf(const ShownLoop &loop) {
  const LoopNumbers numbers = numbersOf(loop);
  return markOf(numbers) +
         (numbers.calls.empty() ? "IPC " + rangeOf(numbers.leastIpc, numbers.mostIpc, 2) + " · " : "") +
         cyclesLabelOf(numbers);
}

std::string lowerBoundInWords(const std::vector<std::string> &calls) {
  constexpr size_t kNamedCalls = 8;
  return "calls " + listOf(calls, kNamedCalls) + ", whose time is not in the cycles";
}

std::string titleOf(const ShownRegion &region) {
  const std::string &name = region.numbers.instance;
  if (region.numbers.kind == wire::RegionKind::Marker)
    return name.empty() ? "marked region" : "region " + name;
  return name + (region.variant.empty() ? "" : ", " + region.variant);
}

std::string verdictParagraph(const ShownRegion &region) {
  std::string sentence = bottleneckOf(region.numbers);
  if (sentence.empty())
    return sentence;
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence + ".";
}

void addVerdict(wire::RichText &text, const ShownRegion &region) {
  if (std::string sentence = verdictParagraph(region); !sentence.empty())
    add(text, Kind::Paragraph, std::move(sentence));
  for (const Change &change : region.changes)
    add(text, Kind::Item, change.inWords());
  if (!region.numbers.calls.empty())
    add(text, Kind::Item, "≥ " + lowerBoundInWords(region.numbers.calls));
  for (const std::string &caveat : region.numbers.caveats)
    add(text, Kind::Item, "≈ " + caveat);
  addMemory(text, region);
}

void addPaths(wire::RichText &text, const ShownLoop &loop) {
  if (loop.size() == 1)
    return;
  const bool shares = loop.front().numbers.share >= 0;
  add(text, Kind::Paragraph,
      "The loop has several paths" +
          std::string(shares ? "; shares of the iterations as the compiler expects them:" : ":"));
  for (const ShownRegion &path : loop) {
    const wire::RegionSummary &one = path.numbers;
    const std::string bottleneck = bottleneckOf(one);
    add(text, Kind::Item,
        path.path + (one.share >= 0 ? ", " + percent(one.share) : "") + ": " + labelOf({path}) +
            (one.calls.empty() ? "" : "; " + lowerBoundInWords(one.calls)) +
            (bottleneck.empty() ? "" : "; " + bottleneck));
  }
}

void addOthers(wire::RichText &text, const std::vector<ShownLoop> &onLine) {
  const size_t others = onLine.size() - 1, shown = std::min(others, kMostOthers);
  for (size_t i = 1; i <= shown; ++i)
    add(text, Kind::Item,
        "also here: " + titleOf(onLine[i].front()) + ", " + std::to_string(onLine[i].front().numbers.instructions) +
            " instructions: " + labelOf(onLine[i]));
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

} // namespace analysis

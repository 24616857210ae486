// Branches are named by their lines if these are known, and by their text otherwise.
#include "lsp/wording/flow_text.h"

#include "lsp/wording/region_text.h"

#include <algorithm>
#include <numeric>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;
using wire::BranchCost;
using wire::ControlFlow;

constexpr double kCostly = 0.2;       // of the cycles along the trace
constexpr size_t kRows = 8;           // a hover shows about 13 rows before it scrolls
constexpr size_t kRowColumns = 80;    // editors wrap a code block at about 85 columns
constexpr size_t kBranchColumns = 22; // of an instruction in a row
constexpr size_t kNamedBranches = 2;

/// How often something happened in all iterations: "1,000".
std::string timesInAll(const ControlFlow &flow, double perIteration) {
  constexpr double kMost = 1e18; // more does not fit into the integer
  return grouped(static_cast<uint64_t>(std::min(perIteration * static_cast<double>(flow.iterations) + 0.5, kMost)));
}

std::string fileName(const ControlFlow &flow) {
  return flow.file.substr(flow.file.rfind('/') + 1);
}

/// "3 hours old"; empty if it is not known, or the clocks differ.
std::string ageOf(const ControlFlow &flow, uint64_t now) {
  constexpr uint64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (flow.modified == 0 || flow.modified > now)
    return {};
  const uint64_t seconds = now - flow.modified;
  if (seconds < kMinute)
    return "under a minute old";
  return (seconds < kHour  ? counted(seconds / kMinute, "minute")
          : seconds < kDay ? counted(seconds / kHour, "hour")
                           : counted(seconds / kDay, "day")) +
         " old";
}

std::string lineName(wire::ByteRange at, const Text &source) {
  return "line " + std::to_string(source.lineOf(at.begin) + 1);
}

bool hasPlace(wire::ByteRange at) {
  return at.begin < at.end;
}

/// "the load of line 8", "the load `movl (%rdi), %eax`"; empty if the condition waits for none.
std::string loadInWords(const BranchCost &branch, wire::ByteRange at, const Text &source) {
  if (branch.load.empty())
    return {};
  return "the load " + (hasPlace(at) ? "of " + lineName(at, source) : "`" + branch.load + "`");
}

/// "10.9 of 12.4 cycles per iteration".
std::string partOfCycles(const ControlFlow &flow, const BranchCost &branch, uint32_t sourceIterations) {
  return decimals(branch.cyclesPerIteration, 1) + " of " + decimals(flow.cycles, 1) + " cycles " +
         perIterations(sourceIterations);
}

/// Numbers of the branches that cost something, the most expensive first.
std::vector<size_t> byCost(const ControlFlow &flow) {
  std::vector<size_t> numbers(flow.branches.size());
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  const auto cost = [&](size_t number) { return flow.branches[number].cyclesPerIteration; };
  std::ranges::stable_sort(numbers, std::greater(), cost);
  std::erase_if(numbers, [&](size_t number) { return cost(number) <= 0; });
  return numbers;
}

/// "the branch of line 7 cannot be predicted (expected to be taken 50 %)". Of several branches of a line,
/// which may be copies of one, the most expensive stands for all.
std::string unpredictable(const AnalysedRegion &region, const Text &source) {
  std::vector<std::string> names, taken;
  for (const size_t number : byCost(*region.flow)) {
    const wire::ByteRange at = region.branches[number].branch;
    const BranchCost &branch = region.flow->branches[number];
    std::string name = hasPlace(at) ? "the branch of " + lineName(at, source) : "`" + branch.text + "`";
    if (std::ranges::find(names, name) != names.end())
      continue;
    names.push_back(std::move(name));
    if (!branch.isIndirect)
      taken.push_back(percent(branch.taken));
  }
  if (names.empty())
    return "its branches cannot be predicted";
  return listOf(names, kNamedBranches) + " cannot be predicted" +
         (taken.empty() ? "" : " (expected to be taken " + listOf(taken, kNamedBranches) + ")");
}

/// The last columns of a row: the branch, and the load that its condition waits for.
std::string branchCell(const BranchCost &branch, wire::ByteRange loadAt, const Text &source, size_t width) {
  std::string text = clipped(branch.text, kBranchColumns, "…");
  if (branch.load.empty())
    return text;
  return text + std::string(width - columnsOf(text), ' ') + "  ← " +
         (hasPlace(loadAt) ? lineName(loadAt, source) + ": " : "") + branch.load;
}

/// A row for each branch in the order of the program; of many, those that cost most.
std::string branchTable(const AnalysedRegion &region, const Text &source) {
  const ControlFlow &flow = *region.flow;
  std::vector<size_t> shown(flow.branches.size());
  std::iota(shown.begin(), shown.end(), size_t{0});
  std::ranges::stable_sort(shown, std::greater(), [&](size_t i) { return flow.branches[i].cyclesPerIteration; });
  shown.resize(std::min(shown.size(), kRows));
  std::ranges::sort(shown);
  size_t width = 0;
  for (const size_t number : shown)
    width = std::max(width, std::min(columnsOf(flow.branches[number].text), kBranchColumns));
  const auto numbersIn = [](const std::string &line, const std::string &taken, const std::string &missed,
                            const std::string &wait, const std::string &cost, const std::string &cycles) {
    return rightAligned(line, 5) + rightAligned(taken, 7) + rightAligned(missed, 8) + rightAligned(wait, 7) +
           rightAligned(cost, 7) + rightAligned(cycles, 8) + "  ";
  };
  const auto share = [](double value) { return decimals(value * 100, 0) + " %"; };
  std::string table = numbersIn("line", "taken", "missed", "wait", "cost", "cycles") + "branch\n";
  for (const size_t number : shown) {
    const BranchCost &branch = flow.branches[number];
    const BranchPlaces &places = region.branches[number];
    const std::string line = hasPlace(places.branch) ? std::to_string(source.lineOf(places.branch.begin) + 1) : "";
    const std::string numbers =
        numbersIn(line, share(branch.taken), share(branch.missed), branch.missed > 0 ? decimals(branch.wait, 1) : "-",
                  branch.cost >= 0 ? decimals(branch.cost, 1) : "-", decimals(branch.cyclesPerIteration, 2));
    table += clipped(numbers + branchCell(branch, places.load, source, width), kRowColumns, "…") + "\n";
  }
  const size_t more = flow.branches.size() - shown.size();
  return table + (more ? "and " + std::to_string(more) + " more that cost less\n" : "");
}

/// "Branches along the trace kern.mcatrace, 3 hours old: 1,000 iterations, predictor tage, …".
std::string headOfTable(const ControlFlow &flow, uint64_t now) {
  const std::string penalty = "mispredict penalty " + counted(flow.mispredictPenalty, "cycle");
  if (!isTraced(flow))
    return "Branches, if each were as random as expected, " + penalty + ":";
  const std::string age = ageOf(flow, now);
  return "Branches along " + traceInWords(flow) + (age.empty() ? "" : ", " + age) + ": " + grouped(flow.iterations) +
         (flow.iterations == 1 ? " iteration" : " iterations") + ", predictor " + flow.predictor + ", " + penalty +
         ", " + decimals(flow.missesPerThousand, 1) + " mispredictions per 1,000 instructions.";
}

} // namespace

bool isTraced(const ControlFlow &flow) {
  return flow.source != ControlFlow::Source::Odds;
}

std::string traceInWords(const ControlFlow &flow) {
  return flow.source == ControlFlow::Source::File ? "the trace " + fileName(flow) : "the trace in the text";
}

void addFlow(RichText &text, const ShownLoop &loop, const Text &source) {
  const LoopNumbers numbers = numbersOf(loop), perfect = pathNumbersOf(loop);
  if (numbers.bounded) {
    const uint32_t several = std::max(numbers.sourceIterations, 1u);
    add(text, Kind::Paragraph,
        "With every branch predicted right: " + cyclesInWords(perfect) + ". Up to " +
            roughly(numbers.mostCycles / several, several == 1 ? 1 : 2) + " if " +
            unpredictable(*loop.front(), source) + ": record a trace to know (`mca-lsp --record-trace`).");
  }
  if (!numbers.traced)
    return;
  const ControlFlow &flow = *loop.front()->flow;
  const std::string unit = perIterations(numbers.sourceIterations);
  add(text, Kind::Paragraph,
      "Cycles " + unit + " along " + traceInWords(flow) + ": " + decimals(flow.cycles, 2) + ". With every branch " +
          "predicted right: " + decimals(flow.perfectCycles, 2) +
          ". What limits the loop, budgets and comparisons with earlier versions are about perfect prediction" +
          (perfect.calls.empty() ? "." : ", without the time of calls."));
}

RichText aboutMisses(const ControlFlow &flow) {
  const MissNumbers misses = missesOf(flow);
  RichText text{{Kind::Paragraph, timesInAll(flow, misses.perIteration) + " of " + timesInAll(flow, misses.executions) +
                                      " executed branches are mispredicted along " + traceInWords(flow) +
                                      " with the predictor " + flow.predictor + ": " +
                                      decimals(flow.missesPerThousand, 1) + " per 1,000 instructions."}};
  if (misses.cost > 0)
    add(text, Kind::Paragraph,
        "Each of them adds " + decimals(misses.cost, 1) +
            " cycles: the wait for the branch's condition and the redirect of " +
            counted(flow.mispredictPenalty, "cycle") + ", less what the CPU does meanwhile.");
  return text;
}

void addBranches(RichText &text, const ShownLoop &loop, const Text &source, uint64_t now) {
  const ControlFlow *flow = flowOf(loop);
  if (!flow || flow->branches.empty())
    return;
  add(text, Kind::Paragraph, headOfTable(*flow, now));
  if (flow->isBarelyTrained)
    add(text, Kind::Item, "≈ " + std::string(kBarelyTrained));
  add(text, Kind::Preformatted, branchTable(*loop.front(), source));
}

void addBranchesAt(RichText &text, const AnalysedRegion &region, wire::ByteRange at, const Text &source) {
  for (size_t i = 0; i < region.branches.size(); ++i) {
    if (!hasPlace(at) || region.branches[i].branch != at)
      continue;
    const ControlFlow &flow = *region.flow;
    const BranchCost &branch = flow.branches[i];
    std::string item = branch.text + ": ";
    if (!branch.isIndirect)
      item += isTraced(flow) ? "taken " + percent(branch.taken) + ", "
                             : "expected to be taken " + percent(branch.taken) + "; ";
    const std::string part = partOfCycles(flow, branch, region.region.sourceIterations);
    if (!isTraced(flow))
      item += "if it cannot be predicted, its mispredictions add up to " + part;
    else if (branch.missed > 0)
      item += "mispredicted " + percent(branch.missed) + " along " + traceInWords(flow) + ", which takes " + part +
              (branch.cost >= 0 ? ", " + decimals(branch.cost, 1) + " each" : "");
    else
      item += "never mispredicted along " + traceInWords(flow);
    if (const std::string load = loadInWords(branch, region.branches[i].load, source); !load.empty())
      item += "; its condition waits for " + load;
    add(text, Kind::Item, std::move(item));
  }
}

bool isCostly(const ControlFlow &flow, const BranchCost &branch) {
  return isTraced(flow) && branch.cyclesPerIteration > kCostly * flow.cycles;
}

std::string mispredictionInWords(const AnalysedRegion &region, size_t number, const Text &source) {
  const ControlFlow &flow = *region.flow;
  const BranchCost &branch = flow.branches[number];
  const std::string load = loadInWords(branch, region.branches[number].load, source);
  return "`" + branch.text + "`: mispredicted " + timesInAll(flow, branch.executions * branch.missed) + " of " +
         timesInAll(flow, branch.executions) + ", " + partOfCycles(flow, branch, region.region.sourceIterations) +
         (load.empty() ? "" : ": its condition waits for " + load);
}

std::string pathLens(const ShownLoop &loop) {
  if (loop.size() == 1)
    return {};
  const LoopNumbers numbers = numbersOf(shownPaths(loop));
  const std::string cycles = " · " + markOf(numbers) + cyclesLabelOf(numbers);
  const auto chosen = std::ranges::find_if(loop, &AnalysedRegion::chosen);
  if (chosen == loop.end())
    return "all " + std::to_string(loop.size()) + " paths" + cycles;
  const double share = (*chosen)->region.share;
  return "path " + std::to_string(chosen - loop.begin() + 1) + " of " + std::to_string(loop.size()) +
         (share >= 0 ? " · " + percent(share) : "") + cycles;
}

std::string predictorLens(const ShownLoop &loop) {
  const ControlFlow *flow = loop.front()->flow.get();
  const bool isPath = flow && flow->statement.starts_with("path "); // written by hand, and always predicted right
  return flow && isTraced(*flow) && !isPath ? "predictor: " + flow->predictor : "";
}

} // namespace lsp::wording

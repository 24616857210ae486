// The sentences are built from the simulation's dependencies and waits, which refer to instructions by their positions
// in the region's body. A reader needs lines and texts instead.
#include "lsp/wording/instruction_text.h"

#include "analysis/text/counts.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/resource_names.h"
#include "lsp/wording/words.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace lsp::wording {
namespace {

using analysis::counted;
using analysis::decimals;
using wire::ResourceUse;
using wire::Wait;

/// Shorter waits are shown as no wait, in cycles of one execution.
constexpr double kVisibleWait = 0.05;
/// Instructions that one sentence names.
constexpr size_t kNamed = 5;
/// Units that are at least this busy, relative to the busiest one, are busiest units.
constexpr double kBusy = 0.9;
/// What a hover has room for.
constexpr size_t kUnits = 3, kInstructions = 24;

bool contains(const std::vector<uint32_t> &positions, uint32_t position) {
  return std::ranges::find(positions, position) != positions.end();
}

/// "line 12 (mulps %xmm0, %xmm1)"; without a line if it belongs to none.
std::string reference(const InstructionPlace &place, const Text &text) {
  const wire::ByteRange at = place.at();
  if (at.begin >= at.end)
    return place.details().text;
  return "line " + std::to_string(text.lineOf(at.begin) + 1) + " (" + place.details().text + ")";
}

/// The positions are those of others in the region of `place`. An instruction can wait for itself only in another
/// iteration.
std::string references(const InstructionPlace &place, const std::vector<uint32_t> &positions, const Text &text) {
  std::string list;
  for (size_t i = 0; i < std::min(positions.size(), kNamed); ++i)
    list += (i ? ", " : "") + (positions[i] == place.position ? "itself, in another iteration"
                                                              : reference({place.region, positions[i]}, text));
  return list + analysis::andMore(positions.size(), kNamed);
}

void addWaits(RichText &blocks, const InstructionPlace &place, const Text &text) {
  for (const Wait &wait : place.details().waits)
    if (wait.cycles >= kVisibleWait)
      add(blocks, Block::Kind::Item,
          "waits " + decimals(wait.cycles, 1) + " cycles each time " + phraseOf(wait) +
              (wait.by.empty() ? "" : ": " + references(place, wait.by, text)));
}

/// The instructions that wait for it, and then those that read its result without a wait.
void addWaiters(RichText &blocks, const InstructionPlace &place, const Text &text) {
  std::vector<uint32_t> readers;
  const auto &body = place.region->simulation->body;
  for (uint32_t position = 0; position < body.size(); ++position) {
    double cycles = 0;
    for (const Wait &wait : body[position].waits)
      if (contains(wait.by, place.position))
        cycles += wait.cycles;
    // What it waits for itself is reported by addWaits.
    if (cycles >= kVisibleWait && position != place.position)
      add(blocks, Block::Kind::Item,
          reference({place.region, position}, text) + " waits for it, " + decimals(cycles, 1) + " cycles each time");
    else if (cycles < kVisibleWait && contains(body[position].needs, place.position))
      readers.push_back(position);
  }
  if (!readers.empty())
    add(blocks, Block::Kind::Item, "its result is read by " + references(place, readers, text));
}

/// After the last link the chain goes on with the first one, in the next iteration.
void addChain(RichText &blocks, const InstructionPlace &place, const Text &text) {
  const std::vector<wire::ChainLink> &chain = place.region->simulation->chain;
  const auto link = std::ranges::find(chain, place.position, &wire::ChainLink::instruction);
  if (link == chain.end())
    return;
  const uint32_t next = (link + 1 == chain.end() ? chain.front() : *(link + 1)).instruction;
  add(blocks, Block::Kind::Item,
      "link " + std::to_string(link - chain.begin() + 1) + " of " + std::to_string(chain.size()) +
          " of the longest loop-carried chain" +
          (next == place.position ? ", which it forms alone"
                                  : ", followed by " + reference({place.region, next}, text)));
}

/// "SKLPort0 0.50, SKLPort1 0.50", in cycles per iteration.
std::string unitsWithCycles(const std::vector<ResourceUse> &pressure) {
  std::string text;
  for (const ResourceUse &use : pressure)
    text += (text.empty() ? "" : ", ") + use.name + " " + decimals(use.perIteration, 2);
  return text;
}

/// The units that limit the region if any do. Equally busy ones stay in the order of the model.
std::vector<ResourceUse> busiestUnits(const wire::Simulation &simulation) {
  std::vector<ResourceUse> units = simulation.pressure;
  std::ranges::stable_sort(units, std::greater(), &ResourceUse::perIteration);
  const double most = units.empty() ? 0 : units.front().perIteration;
  std::erase_if(units, [&](const ResourceUse &unit) { return unit.perIteration < kBusy * most; });
  units.resize(std::min(units.size(), kUnits));
  return units;
}

/// "40 %": the line's part of the region's pressure on the unit.
std::string shareOf(const LineInstructions &line, const ResourceUse &unit) {
  double cycles = 0;
  for (const InstructionPlace &instruction : line)
    for (const ResourceUse &use : instruction.details().pressure)
      cycles += use.name == unit.name ? use.perIteration : 0;
  const double share = unit.perIteration > 0 ? std::min(cycles / unit.perIteration, 1.0) : 0;
  return std::to_string(std::lround(100 * share)) + " %";
}

/// An optimizing compiler spreads the instructions of a source line over the loop: the line's share of each cost shows
/// whether a change of the line can pay off.
std::string shares(const LineInstructions &line) {
  const wire::Simulation &simulation = *line.front().region->simulation;
  size_t all = 0;
  for (const wire::InstructionDetails &instruction : simulation.body)
    all += instruction.microOps;
  std::string sentence = "This line: " + std::to_string(microOpsOf(line)) + " of " + counted(all, "micro-op");
  for (const ResourceUse &unit : busiestUnits(simulation))
    sentence += ", " + shareOf(line, unit) + " of the pressure on " + unit.name;
  return sentence;
}

/// The line's instructions, a row each; `*` marks those of the chain.
std::string listing(const LineInstructions &line) {
  const std::vector<wire::ChainLink> &chain = line.front().region->simulation->chain;
  std::string rows;
  for (const InstructionPlace &instruction : line | std::views::take(kInstructions)) {
    const bool isLink = std::ranges::find(chain, instruction.position, &wire::ChainLink::instruction) != chain.end();
    const wire::InstructionDetails &details = instruction.details();
    rows += (isLink ? "* " : "  ") + details.text + "   " + instructionLabel(details) + "\n";
  }
  if (line.size() > kInstructions)
    rows += "  and " + std::to_string(line.size() - kInstructions) + " more\n";
  return rows;
}

} // namespace

std::string instructionLabel(const wire::InstructionDetails &instruction) {
  std::vector<std::string> units;
  for (const ResourceUse &use : instruction.pressure)
    units.push_back(use.name);
  const std::string shown = units.empty() ? "" : shortResourceNames(units);
  return "lat " + std::to_string(instruction.latency) + " · rthr " + decimals(instruction.reciprocalThroughput, 2) +
         (shown.empty() ? "" : " · " + shown);
}

RichText instructionText(const InstructionPlace &place, const Text &text) {
  const wire::InstructionDetails &instruction = place.details();
  RichText blocks{{Block::Kind::Heading, instruction.text},
                  {Block::Kind::Paragraph,
                   counted(instruction.microOps, isCalibrated(*place.region->simulation) ? "slot" : "micro-op") +
                       " · latency " + std::to_string(instruction.latency) + " · reciprocal throughput " +
                       decimals(instruction.reciprocalThroughput, 2) + " cycles"}};
  if (!instruction.pressure.empty())
    add(blocks, Block::Kind::Paragraph, "Busy, cycles per iteration: " + unitsWithCycles(instruction.pressure));
  addWaits(blocks, place, text);
  addWaiters(blocks, place, text);
  addChain(blocks, place, text);
  addBranchesAt(blocks, *place.region, place.at(), text);
  return blocks;
}

RichText lineText(const LineInstructions &line, const Text &text) {
  const AnalysedRegion &region = *line.front().region;
  const std::vector<wire::ChainLink> &chain = region.simulation->chain;
  const std::string name = fullName(region.region);
  RichText blocks{{Block::Kind::Paragraph, shares(line) + (name.empty() ? "" : ", in " + name) + "."}};
  const auto isOnLine = [&](const wire::ChainLink &link) {
    return std::ranges::find(line, link.instruction, &InstructionPlace::position) != line.end();
  };
  if (const auto links = std::ranges::count_if(chain, isOnLine))
    add(blocks, Block::Kind::Paragraph,
        std::to_string(links) + " of the " + counted(chain.size(), "link") +
            " of the longest loop-carried chain, marked *.");
  addBranchesAt(blocks, region, line.front().at(), text);
  add(blocks, Block::Kind::Preformatted, listing(line));
  return blocks;
}

} // namespace lsp::wording

// The sentences of instruction_text.h. Lines are told 1-based, as editors show them.
#include "lsp/features/instruction_text.h"

#include "analysis/common/counts.h"
#include "lsp/wording/resource_names.h"
#include "lsp/wording/words.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::decimals;
using analysis::wire::InstructionDetails;
using analysis::wire::Wait;
using wording::Block;
using wording::RichText;

/// Shorter waits are shown as no wait, in cycles of one execution.
constexpr double kVisibleWait = 0.05;
/// Instructions that one sentence names.
constexpr size_t kNamed = 5;

bool contains(const std::vector<uint32_t> &positions, uint32_t position) {
  return std::find(positions.begin(), positions.end(), position) != positions.end();
}

/// "line 12 (mulps %xmm0, %xmm1)"
std::string reference(const InstructionPlace &place, const Text &text) {
  const uint32_t line = lineNumber(place, text);
  return line ? "line " + std::to_string(line) + " (" + place.details().text + ")" : place.details().text;
}

/// What the instruction has with itself is between iterations.
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
      blocks.push_back({Block::Kind::Item, "waits " + decimals(wait.cycles, 1) + " cycles each time " +
                                               wording::phraseOf(wait) +
                                               (wait.by.empty() ? "" : ": " + references(place, wait.by, text))});
}

/// Those that wait for it, and of the rest those that read its result.
void addWaiters(RichText &blocks, const InstructionPlace &place, const Text &text) {
  std::vector<uint32_t> readers;
  const auto &body = place.region->simulation->body;
  for (uint32_t position = 0; position < body.size(); ++position) {
    double cycles = 0;
    for (const Wait &wait : body[position].waits)
      if (contains(wait.by, place.position))
        cycles += wait.cycles;
    if (cycles >= kVisibleWait && position != place.position)
      blocks.push_back({Block::Kind::Item, reference({place.region, position}, text) + " waits for it, " +
                                               decimals(cycles, 1) + " cycles each time"});
    else if (cycles < kVisibleWait && contains(body[position].needs, place.position))
      readers.push_back(position);
  }
  if (!readers.empty())
    blocks.push_back({Block::Kind::Item, "its result is read by " + references(place, readers, text)});
}

void addChain(RichText &blocks, const InstructionPlace &place, const Text &text) {
  const std::vector<analysis::wire::ChainLink> &chain = place.region->simulation->chain;
  const auto link =
      std::find_if(chain.begin(), chain.end(), [&](const auto &one) { return one.instruction == place.position; });
  if (link == chain.end())
    return;
  const uint32_t next = (link + 1 == chain.end() ? chain.front() : *(link + 1)).instruction;
  blocks.push_back(
      {Block::Kind::Item, "link " + std::to_string(link - chain.begin() + 1) + " of " + std::to_string(chain.size()) +
                              " of the longest loop-carried chain" +
                              (next == place.position ? ", which it forms alone"
                                                      : ", followed by " + reference({place.region, next}, text))});
}

/// The units in use, as a hint names them: "p015".
std::string shortUnits(const std::vector<analysis::wire::ResourceUse> &pressure) {
  std::vector<std::string> names;
  for (const analysis::wire::ResourceUse &use : pressure)
    names.push_back(use.name);
  return wording::shortResourceNames(names);
}

/// "SKLPort0 0.50, SKLPort1 0.50", in cycles.
std::string unitsWithCycles(const std::vector<analysis::wire::ResourceUse> &pressure) {
  std::string text;
  for (const analysis::wire::ResourceUse &use : pressure)
    text += (text.empty() ? "" : ", ") + use.name + " " + decimals(use.perIteration, 2);
  return text;
}

} // namespace

std::string instructionNumbers(const InstructionDetails &instruction) {
  return analysis::counted(instruction.microOps, "micro-op") + " · latency " + std::to_string(instruction.latency) +
         " · reciprocal throughput " + decimals(instruction.reciprocalThroughput, 2) + " cycles";
}

std::string instructionLabel(const InstructionDetails &instruction) {
  const std::string units = instruction.pressure.empty() ? "" : shortUnits(instruction.pressure);
  return "lat " + std::to_string(instruction.latency) + " · rthr " + decimals(instruction.reciprocalThroughput, 2) +
         (units.empty() ? "" : " · " + units);
}

RichText instructionText(const InstructionPlace &place, const Text &text) {
  const InstructionDetails &instruction = place.details();
  RichText blocks{{Block::Kind::Heading, instruction.text}, {Block::Kind::Paragraph, instructionNumbers(instruction)}};
  if (!instruction.pressure.empty())
    blocks.push_back({Block::Kind::Paragraph, "Busy, cycles per iteration: " + unitsWithCycles(instruction.pressure)});
  addWaits(blocks, place, text);
  addWaiters(blocks, place, text);
  addChain(blocks, place, text);
  return blocks;
}

} // namespace lsp::features

// The shares of line_text.h.
#include "lsp/features/line_text.h"

#include "analysis/common/counts.h"
#include "lsp/features/instruction_text.h"

#include <algorithm>
#include <cmath>

namespace lsp::features {
namespace {

using analysis::wire::ChainLink;
using analysis::wire::InstructionDetails;
using analysis::wire::ResourceUse;
using analysis::wire::Simulation;
using wording::Block;
using wording::RichText;

/// The busiest units are those that come this close to the busiest one.
constexpr double kBusy = 0.9;
constexpr size_t kUnits = 3;
constexpr size_t kInstructions = 24;

std::vector<ResourceUse> busiestUnits(const Simulation &simulation) {
  std::vector<ResourceUse> units = simulation.pressure;
  std::stable_sort(units.begin(), units.end(),
                   [](const auto &a, const auto &b) { return a.perIteration > b.perIteration; });
  const double most = units.empty() ? 0 : units.front().perIteration;
  std::erase_if(units, [&](const ResourceUse &unit) { return unit.perIteration < kBusy * most; });
  units.resize(std::min(units.size(), kUnits));
  return units;
}

/// Cycles per iteration that the line keeps a unit busy.
double useOf(const LineInstructions &line, const std::string &unit) {
  double cycles = 0;
  for (size_t i = 0; i < line.positions.size(); ++i)
    for (const ResourceUse &use : line.at(i).pressure)
      cycles += use.name == unit ? use.perIteration : 0;
  return cycles;
}

std::string percent(double part, double whole) {
  return std::to_string(whole > 0 ? std::lround(100 * std::min(part / whole, 1.0)) : 0) + " %";
}

std::string shares(const LineInstructions &line) {
  size_t here = 0, all = 0;
  for (size_t i = 0; i < line.positions.size(); ++i)
    here += line.at(i).microOps;
  for (const InstructionDetails &instruction : line.region->simulation->body)
    all += instruction.microOps;
  std::string sentence = "This line: " + std::to_string(here) + " of " + analysis::counted(all, "micro-op");
  for (const ResourceUse &unit : busiestUnits(*line.region->simulation))
    sentence += ", " + percent(useOf(line, unit.name), unit.perIteration) + " of the pressure on " + unit.name;
  return sentence;
}

/// The line's instructions, a row each; `*` marks those of the chain.
std::string listing(const LineInstructions &line) {
  std::string rows;
  for (size_t i = 0; i < std::min(line.positions.size(), kInstructions); ++i) {
    const std::vector<ChainLink> &chain = line.region->simulation->chain;
    const bool onChain = std::any_of(chain.begin(), chain.end(),
                                     [&](const ChainLink &link) { return link.instruction == line.positions[i]; });
    rows += (onChain ? "* " : "  ") + line.at(i).text + "   " + instructionLabel(line.at(i)) + "\n";
  }
  if (line.positions.size() > kInstructions)
    rows += "  and " + std::to_string(line.positions.size() - kInstructions) + " more\n";
  return rows;
}

} // namespace

RichText lineText(const LineInstructions &line) {
  const std::string name = fullName(line.region->region);
  const std::vector<ChainLink> &chain = line.region->simulation->chain;
  RichText blocks{{Block::Kind::Paragraph, shares(line) + (name.empty() ? "" : ", in " + name) + "."}};
  const auto onLine = [&](const ChainLink &link) {
    return std::binary_search(line.positions.begin(), line.positions.end(), link.instruction);
  };
  if (const auto links = std::count_if(chain.begin(), chain.end(), onLine))
    blocks.push_back({Block::Kind::Paragraph, std::to_string(links) + " of the " +
                                                  analysis::counted(chain.size(), "link") +
                                                  " of the longest loop-carried chain, marked *."});
  blocks.push_back({Block::Kind::Preformatted, listing(line)});
  return blocks;
}

} // namespace lsp::features

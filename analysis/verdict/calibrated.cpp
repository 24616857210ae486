#include "analysis/verdict/calibrated.h"

#include "analysis/text/instruction_text.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace analysis {
namespace {

using Verdict = wire::Verdict;
using Kind = mca::CalibratedWait::Kind;

constexpr double kReached = 0.95;    // of the cycles
constexpr size_t kWitnesses = 4;     // as many as LLVM's verdicts have
constexpr double kNoticeable = 0.01; // units of a resource

/// What an iteration takes at least, by limit, the highest first.
std::vector<wire::ResourceUse> boundsOf(const mca::CalibratedReport &report) {
  std::vector<wire::ResourceUse> bounds;
  for (const mca::CalibratedBound &bound : report.frontEnd)
    if (bound.cycles > 0)
      bounds.push_back({bound.name, bound.cycles});
  for (const mca::CalibratedResourceReport &resource : report.resources)
    if (resource.bound() > 0)
      bounds.push_back({resource.name, resource.bound()});
  llvm::stable_sort(bounds, [](const auto &a, const auto &b) { return a.perIteration > b.perIteration; });
  return bounds;
}

/// The instructions that use a resource, those that use most of it first.
std::vector<uint32_t> usersOf(const mca::CalibratedReport &report, size_t resource) {
  std::vector<uint32_t> users;
  for (uint32_t i = 0; i < report.code.size(); ++i)
    if (report.code[i].uses[resource] >= kNoticeable)
      users.push_back(i);
  llvm::stable_sort(
      users, [&](uint32_t a, uint32_t b) { return report.code[a].uses[resource] > report.code[b].uses[resource]; });
  return users;
}

/// Names the mnemonic that has at least half of the users.
void nameUsers(Verdict &verdict, const mca::CalibratedReport &report, const std::vector<uint32_t> &users) {
  std::map<std::string, uint32_t> counts;
  for (const uint32_t user : users)
    ++counts[mnemonicOf(flatText(report.code[user].text))];
  verdict.users = static_cast<uint32_t>(users.size());
  const auto most = llvm::max_element(counts, [](const auto &a, const auto &b) { return a.second < b.second; });
  if (most == counts.end() || 2 * most->second < verdict.users)
    return;
  verdict.mnemonic = most->first;
  verdict.usersOfMnemonic = most->second;
}

/// `bounds`: those that are reached; the first one is a resource.
void limitByResources(Verdict &verdict, const mca::CalibratedReport &report,
                      const std::vector<wire::ResourceUse> &bounds) {
  verdict.kind = Verdict::Kind::Resource;
  const auto indexOf = [&](const std::string &name) {
    const auto found = llvm::find_if(report.resources, [&](const auto &one) { return one.name == name; });
    return static_cast<size_t>(found - report.resources.begin());
  };
  for (const wire::ResourceUse &bound : bounds)
    if (indexOf(bound.name) < report.resources.size())
      verdict.units.push_back({.resource = bound.name});
  const mca::CalibratedResourceReport &first = report.resources[indexOf(bounds.front().name)];
  const std::vector<uint32_t> users = usersOf(report, indexOf(first.name));
  nameUsers(verdict, report, users);
  for (const uint32_t user : llvm::ArrayRef(users).take_front(kWitnesses))
    verdict.witnesses.push_back({.instruction = user,
                                 .text = flatText(report.code[user].text),
                                 .uses = {{first.name, report.code[user].uses[indexOf(first.name)] / first.capacity}},
                                 .wait = {}});
}

/// A circle of instructions that wait for each other, each for the one after it, and its cycles of waiting.
struct Circle {
  std::vector<uint32_t> instructions;
  int64_t cycles = 0;
  bool isThroughMemory = false;
};

/// Each instruction waits for at most one, so a walk ends or enters a circle.
Circle longestCircle(const mca::CalibratedReport &report) {
  const size_t count = report.code.size();
  const auto waitsForInstruction = [&](uint32_t i) {
    const mca::CalibratedWait &wait = report.code[i].wait;
    return (wait.kind == Kind::Operand || wait.kind == Kind::Memory) && wait.instruction < count;
  };
  Circle longest;
  std::vector<uint32_t> walkOf(count, 0); // the walk that was here, from 1
  for (uint32_t start = 0; start < count; ++start) {
    uint32_t at = start;
    while (!walkOf[at] && waitsForInstruction(at)) {
      walkOf[at] = start + 1;
      at = report.code[at].wait.instruction;
    }
    if (walkOf[at] != start + 1)
      continue;
    Circle circle;
    const uint32_t first = at;
    do {
      const mca::CalibratedWait &wait = report.code[at].wait;
      circle.instructions.push_back(at);
      circle.cycles += wait.cycles;
      circle.isThroughMemory |= wait.kind == Kind::Memory;
      at = wait.instruction;
    } while (at != first);
    if (circle.cycles > longest.cycles)
      longest = std::move(circle);
  }
  llvm::sort(longest.instructions);
  return longest;
}

void limitByChain(Verdict &verdict, const mca::CalibratedReport &report) {
  const Circle circle = longestCircle(report);
  if (circle.instructions.empty())
    return;
  verdict.kind = circle.isThroughMemory ? Verdict::Kind::Memory : Verdict::Kind::Registers;
  verdict.users = static_cast<uint32_t>(circle.instructions.size());
  for (const uint32_t instruction : llvm::ArrayRef(circle.instructions).take_front(kWitnesses))
    verdict.witnesses.push_back(
        {.instruction = instruction, .text = flatText(report.code[instruction].text), .uses = {}, .wait = {}});
}

/// `bounds`: those that the verdict is about, the highest first; at least one.
void limitByBounds(Verdict &verdict, const mca::CalibratedReport &report,
                   const std::vector<wire::ResourceUse> &bounds) {
  const wire::ResourceUse &highest = bounds.front();
  verdict.busy = highest.perIteration;
  const auto isHighest = [&](const auto &one) { return one.name == highest.name; };
  if (llvm::none_of(report.frontEnd, isHighest)) {
    limitByResources(verdict, report, bounds);
  } else if (highest.name == "slots") {
    verdict.kind = Verdict::Kind::Dispatch;
    verdict.microOps = report.slots();
    verdict.dispatchWidth = static_cast<uint32_t>(std::lround(report.slotsPerCycle));
  } else {
    verdict.kind = Verdict::Kind::Resource;
    verdict.units = {{.resource = highest.name}};
    verdict.users = static_cast<uint32_t>(report.code.size());
  }
}

Verdict judge(const mca::CalibratedReport &report, const std::vector<wire::ResourceUse> &bounds) {
  Verdict verdict{.cycles = report.rate.cyclesPerIteration()};
  verdict.isCalibrated = true;
  const auto isBelow = [&](const wire::ResourceUse &bound) { return bound.perIteration < kReached * verdict.cycles; };
  const auto reached = llvm::make_range(bounds.begin(), llvm::find_if(bounds, isBelow));
  if (!reached.empty()) {
    limitByBounds(verdict, report, {reached.begin(), reached.end()});
    return verdict;
  }
  limitByChain(verdict, report);
  if (verdict.kind == Verdict::Kind::None && !bounds.empty()) {
    verdict.isLargest = true;
    limitByBounds(verdict, report, {bounds.front()});
  }
  return verdict;
}

} // namespace

double steadyIpc(const mca::CalibratedReport &report) {
  return double(report.code.size()) / report.rate.cyclesPerIteration();
}

void calibrate(wire::Simulation &simulation, const mca::CalibratedReport &report) {
  std::vector<wire::ResourceUse> bounds = boundsOf(report);
  simulation.verdict = judge(report, bounds);
  bounds.resize(std::min(bounds.size(), wire::kMostBounds));
  simulation.calibrated = {.llvmCycles = simulation.cyclesPerIteration,
                           .llvmIpc = simulation.ipc,
                           .fromLlvm = report.fromLlvm,
                           .bounds = std::move(bounds)};
  simulation.cyclesPerIteration = report.rate.cyclesPerIteration();
  simulation.ipc = steadyIpc(report);
}

} // namespace analysis

// The rules of verdict.h, one function each.
#include "analysis/verdict/verdict.h"

#include "analysis/common/instruction_text.h"
#include "analysis/verdict/describe.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace analysis {
namespace {

// The thresholds of verdict.h, as parts of the cycles.
constexpr double kNearlyAll = 0.9;
constexpr double kMostly = 0.5;
constexpr double kNoticeable = 0.1; // of the greatest user of a resource
constexpr uint32_t kMinIterations = 10;
constexpr size_t kMaxWitnesses = 5; // each is a related place of the finding

using wire::Verdict;

Verdict::Witness witness(const mca::Report &report, uint32_t instruction) {
  return {.instruction = instruction, .text = flatText(report.instructions[instruction].text), .uses = {}, .wait = {}};
}

// ---- resources -----------------------------------------------------------------------------------------------------

/// Units that are busy in nearly all cycles, the busiest first.
std::vector<size_t> busyUnits(const mca::ResourcePressure &pressure, double cycles) {
  std::vector<size_t> busy;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kNearlyAll * cycles)
      busy.push_back(unit);
  llvm::stable_sort(busy, [&](size_t a, size_t b) { return pressure.perIteration[a] > pressure.perIteration[b]; });
  return busy;
}

struct UnitUser {
  uint32_t instruction = 0;
  double cycles = 0; ///< per iteration, of the busy units together
};

/// The instructions that use the units noticeably, the greatest user first.
std::vector<UnitUser> usersOf(const mca::Report &report, const std::vector<size_t> &units) {
  std::vector<UnitUser> users;
  double most = 0;
  for (uint32_t i = 0; i < report.instructions.size(); ++i) {
    double cycles = 0;
    for (const size_t unit : units)
      cycles += report.pressure.at(i, unit);
    if (cycles >= kVisiblePressure)
      users.push_back({i, cycles});
    most = std::max(most, cycles);
  }
  llvm::erase_if(users, [&](const UnitUser &user) { return user.cycles < kNoticeable * most; });
  llvm::stable_sort(users, [](const UnitUser &a, const UnitUser &b) { return a.cycles > b.cycles; });
  return users;
}

/// Counts the users, and names the mnemonic that has at least half of the use, if any.
void nameUsers(const mca::Report &report, const std::vector<UnitUser> &users, Verdict &verdict) {
  double all = 0;
  llvm::MapVector<llvm::StringRef, std::pair<uint32_t, double>> byMnemonic;
  for (const UnitUser &user : users) {
    const std::string &text = report.instructions[user.instruction].text;
    auto &[count, cycles] = byMnemonic[llvm::StringRef(text).take_front(mnemonicOf(text).size())];
    ++count;
    cycles += user.cycles;
    all += user.cycles;
  }
  verdict.users = static_cast<uint32_t>(users.size());
  for (const auto &[mnemonic, use] : byMnemonic)
    if (use.second >= all / 2 && !mnemonic.empty()) {
      verdict.mnemonic = mnemonic.str();
      verdict.usersOfMnemonic = use.first;
      return;
    }
}

Verdict resourceVerdict(const Evidence &evidence, double cycles) {
  const mca::Report &report = evidence.report;
  const mca::ResourcePressure &pressure = report.pressure;
  const std::vector<size_t> busy = busyUnits(pressure, cycles);
  if (busy.empty())
    return {};
  Verdict verdict{.kind = Verdict::Kind::Resource, .busy = pressure.perIteration[busy.front()], .cycles = cycles};
  for (const size_t unit : busy)
    verdict.units.push_back(
        {pressure.units[unit].name, pressure.units[unit].unit, pressure.units[unit].unitsOfResource});
  const std::vector<UnitUser> users = usersOf(report, busy);
  nameUsers(report, users, verdict);
  for (const UnitUser &user : llvm::ArrayRef(users).take_front(kMaxWitnesses)) {
    Verdict::Witness &shown = verdict.witnesses.emplace_back(witness(report, user.instruction));
    for (const size_t unit : busy)
      shown.uses.push_back({unitName(pressure.units[unit]), pressure.at(user.instruction, unit)});
  }
  return verdict;
}

// ---- dispatch ------------------------------------------------------------------------------------------------------

/// A limit of micro-ops per cycle: Dispatch or IssueWidth.
Verdict widthVerdict(Verdict::Kind kind, const mca::Summary &summary, double busy, double cycles) {
  return {.kind = kind,
          .busy = busy,
          .cycles = cycles,
          .microOps = double(summary.microOps) / summary.iterations,
          .dispatchWidth = summary.dispatchWidth};
}

Verdict dispatchVerdict(const Evidence &evidence, double cycles) {
  const mca::Summary &summary = evidence.report.summary;
  if (!summary.dispatchWidth || !summary.iterations)
    return {};
  const double busy = double(summary.microOps) / summary.iterations / summary.dispatchWidth;
  return busy < kNearlyAll * cycles ? Verdict() : widthVerdict(Verdict::Kind::Dispatch, summary, busy, cycles);
}

// ---- registers -----------------------------------------------------------------------------------------------------

Verdict registerVerdict(const Evidence &evidence, double cycles) {
  const mca::DataflowLimit *limit = evidence.limit;
  if (!limit || limit->cyclesPerIteration < kNearlyAll * cycles || limit->chain.empty())
    return {};
  Verdict verdict{.kind = Verdict::Kind::Registers, .busy = limit->cyclesPerIteration, .cycles = cycles};
  verdict.chain = chainOf(*limit);
  for (size_t i = 0; i < std::min(verdict.chain.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back(witness(evidence.report, verdict.chain[i].instruction));
  return verdict;
}

// ---- waits ---------------------------------------------------------------------------------------------------------

/// An instruction and a reason for which it waits.
struct Stall {
  uint32_t instruction = 0;
  const mca::WaitReason *reason = nullptr;
};

/// The waits of each kind, most cycles first.
std::array<std::vector<Stall>, mca::kWaitKinds> stallsOf(const mca::Waits &waits) {
  std::array<std::vector<Stall>, mca::kWaitKinds> stalls;
  for (uint32_t i = 0; i < waits.instructions.size(); ++i)
    for (const mca::WaitReason &reason : waits.instructions[i].reasons)
      stalls[static_cast<size_t>(reason.kind)].push_back({i, &reason});
  for (std::vector<Stall> &kind : stalls)
    llvm::stable_sort(kind, [](const Stall &a, const Stall &b) { return a.reason->cycles > b.reason->cycles; });
  return stalls;
}

/// Waits for memory order for which an instruction can be named.
bool isMemoryStall(const mca::WaitReason &reason) {
  return reason.kind == mca::WaitKind::Memory && reason.by != mca::kNoInstruction;
}

// ---- memory --------------------------------------------------------------------------------------------------------

/// Whether `to` depends on `from`, through registers and memory order, in any number of steps.
bool depends(uint32_t to, uint32_t from, const Evidence &evidence) {
  std::vector<std::vector<uint32_t>> needs(evidence.report.instructions.size());
  for (const mca::DataLink &link : evidence.links)
    needs[link.to].push_back(link.from);
  for (uint32_t i = 0; i < needs.size(); ++i)
    for (const mca::WaitReason &reason : evidence.waits->instructions[i].reasons)
      if (isMemoryStall(reason))
        needs[i].push_back(reason.by);
  std::vector<bool> seen(needs.size());
  std::vector<uint32_t> open{to};
  while (!open.empty()) {
    const uint32_t next = open.back();
    open.pop_back();
    if (next == from)
      return true;
    if (!seen[next])
      open.insert(open.end(), needs[next].begin(), needs[next].end());
    seen[next] = true;
  }
  return false;
}

Verdict memoryVerdict(const Evidence &evidence, double cycles) {
  if (!evidence.waits)
    return {};
  const std::vector<Stall> stalls = stallsOf(*evidence.waits)[static_cast<size_t>(mca::WaitKind::Memory)];
  const auto longest = llvm::find_if(stalls, [](const Stall &stall) { return isMemoryStall(*stall.reason); });
  if (longest == stalls.end())
    return {};
  const wire::Wait wait = waitOf(*longest->reason, evidence.report, evidence.report.summary.iterations);
  if (wait.cycles < kNearlyAll * cycles || !depends(longest->reason->by, longest->instruction, evidence))
    return {};
  Verdict verdict{.kind = Verdict::Kind::Memory, .busy = wait.cycles, .cycles = cycles};
  verdict.witnesses = {witness(evidence.report, longest->instruction), witness(evidence.report, longest->reason->by)};
  verdict.witnesses.front().wait = wait;
  return verdict;
}

// ---- in order ------------------------------------------------------------------------------------------------------

Verdict stallVerdict(const Evidence &evidence, double cycles) {
  const mca::Summary &summary = evidence.report.summary;
  if (!evidence.inOrder || !evidence.waits || !summary.cycles)
    return {};
  const auto stalls = stallsOf(*evidence.waits);
  std::array<uint64_t, mca::kWaitKinds> cyclesByKind{};
  for (size_t kind = 0; kind < stalls.size(); ++kind)
    for (const Stall &stall : stalls[kind])
      cyclesByKind[kind] += stall.reason->cycles;
  const auto most = std::ranges::max_element(cyclesByKind);
  const uint64_t stalled = std::accumulate(cyclesByKind.begin(), cyclesByKind.end(), uint64_t{0});
  // Waits are counted over the whole run; the verdict speaks of the steady loop.
  const auto inRate = [&](uint64_t part) { return double(part) / double(summary.cycles) * cycles; };
  const uint64_t issuing = summary.cycles - std::min(stalled, summary.cycles);
  if (double(issuing) >= kMostly * double(summary.cycles))
    return widthVerdict(Verdict::Kind::IssueWidth, summary, inRate(issuing), cycles);
  if (double(*most) < kMostly * double(summary.cycles))
    return {};
  Verdict verdict{.kind = Verdict::Kind::Stall, .busy = inRate(*most), .cycles = cycles};
  for (const Stall &stall : llvm::ArrayRef(stalls[most - cyclesByKind.begin()]).take_front(kMaxWitnesses)) {
    Verdict::Witness &stalledOne = verdict.witnesses.emplace_back(witness(evidence.report, stall.instruction));
    stalledOne.wait = waitOf(*stall.reason, evidence.report, 1);
    stalledOne.wait.cycles = inRate(stall.reason->cycles);
  }
  return verdict;
}

} // namespace

Verdict judge(const Evidence &evidence) {
  const mca::Report &report = evidence.report;
  const double cycles = report.summary.cyclesPerIteration();
  if (report.summary.iterations < kMinIterations)
    return {};
  for (const auto rule : {resourceVerdict, dispatchVerdict, registerVerdict, memoryVerdict, stallVerdict})
    if (Verdict verdict = rule(evidence, cycles); verdict.kind != Verdict::Kind::None)
      return verdict;
  return {};
}

wire::Wait waitOf(const mca::WaitReason &reason, const mca::Report &report, double iterations) {
  static_assert(mca::kWaitKinds == static_cast<unsigned>(wire::WaitKind::RetireWidth) + 1, "the kinds are the same");
  wire::Wait wait{.kind = static_cast<wire::WaitKind>(reason.kind),
                  .what = reason.what,
                  .cycles = double(reason.cycles) / iterations,
                  .by = {}};
  if (reason.by != mca::kNoInstruction) {
    wait.by.push_back(reason.by);
    if (reason.kind == mca::WaitKind::Memory)
      wait.what = report.instructions[reason.by].mayStore ? "store" : "load";
  }
  for (const mca::WaitReason::Holder &holder : reason.holders)
    wait.by.push_back(holder.instruction);
  return wait;
}

std::string unitName(const mca::ResourceUnit &unit) {
  return unitName(unit.name, unit.unit, unit.unitsOfResource);
}

} // namespace analysis

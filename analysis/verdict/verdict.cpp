// The rules of verdict.h, one function each.
#include "analysis/verdict/verdict.h"

#include "analysis/text/instruction_text.h"
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
constexpr double kAlike = 0.98;     // of the busiest unit: what is this busy is named with it
constexpr uint32_t kMinIterations = 10;
constexpr size_t kMaxWitnesses = 5; // each is a related place of the finding

using wire::Verdict;

Verdict::Witness witness(const mca::Report &report, uint32_t instruction) {
  return {.instruction = instruction, .text = flatText(report.instructions[instruction].text), .uses = {}, .wait = {}};
}

// ---- resources -----------------------------------------------------------------------------------------------------

/// Units that are busy in at least so many cycles, the busiest first.
std::vector<size_t> busyUnits(const mca::ResourcePressure &pressure, double least) {
  std::vector<size_t> busy;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= least)
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

// Each rule gives a verdict if its limit takes at least `least` cycles per iteration of `cycles`.

Verdict resourceVerdict(const Evidence &evidence, double cycles, double least) {
  const mca::Report &report = evidence.report;
  const mca::ResourcePressure &pressure = report.pressure;
  const std::vector<size_t> busy = busyUnits(pressure, least);
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

Verdict dispatchVerdict(const Evidence &evidence, double cycles, double least) {
  const mca::Summary &summary = evidence.report.summary;
  if (!summary.dispatchWidth || !summary.iterations)
    return {};
  const double busy = evidence.dispatch.iterations
                          ? evidence.dispatch.cyclesPerIteration()
                          : double(summary.microOps) / summary.iterations / summary.dispatchWidth;
  return busy < least ? Verdict() : widthVerdict(Verdict::Kind::Dispatch, summary, busy, cycles);
}

// ---- chains --------------------------------------------------------------------------------------------------------

Verdict chainVerdict(const Evidence &evidence, double cycles, double least) {
  const mca::DataflowLimit *limit = evidence.limit;
  if (!limit || limit->cyclesPerIteration < least || limit->chain.empty())
    return {};
  const bool isThroughMemory = llvm::any_of(limit->chain, [](const mca::DataLink &link) { return link.isMemory; });
  Verdict verdict{.kind = isThroughMemory ? Verdict::Kind::Memory : Verdict::Kind::Registers,
                  .busy = limit->cyclesPerIteration,
                  .cycles = cycles};
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

/// Which instructions each one depends on, through registers and memory order.
using Needs = std::vector<std::vector<uint32_t>>;

Needs needsOf(const Evidence &evidence) {
  Needs needs(evidence.report.instructions.size());
  for (const mca::DataLink &link : evidence.links)
    needs[link.to].push_back(link.from);
  for (uint32_t i = 0; i < needs.size(); ++i)
    for (const mca::WaitReason &reason : evidence.waits->instructions[i].reasons)
      if (isMemoryStall(reason))
        needs[i].push_back(reason.by);
  return needs;
}

/// Whether `to` depends on `from` in any number of steps.
bool depends(uint32_t to, uint32_t from, const Needs &needs) {
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

/// The longest wait that closes a circle. Of many waits that are longer than that, only some are tried: each costs a
/// walk through the region.
Verdict memoryVerdict(const Evidence &evidence, double cycles, double least) {
  constexpr size_t kTried = 32;
  if (!evidence.waits)
    return {};
  const double iterations = evidence.report.summary.iterations;
  const std::vector<Stall> stalls = stallsOf(*evidence.waits)[static_cast<size_t>(mca::WaitKind::Memory)];
  Needs needs;
  for (const Stall &stall : llvm::ArrayRef(stalls).take_front(kTried)) {
    if (!isMemoryStall(*stall.reason) || double(stall.reason->cycles) < least * iterations)
      continue;
    if (needs.empty())
      needs = needsOf(evidence);
    if (!depends(stall.reason->by, stall.instruction, needs))
      continue;
    Verdict verdict{.kind = Verdict::Kind::Memory, .busy = double(stall.reason->cycles) / iterations, .cycles = cycles};
    verdict.witnesses = {witness(evidence.report, stall.instruction), witness(evidence.report, stall.reason->by)};
    verdict.witnesses.front().wait = waitOf(*stall.reason, evidence.report, iterations);
    return verdict;
  }
  return {};
}

/// Cycles that were counted over the whole run, per iteration of the steady loop.
double inRate(const Evidence &evidence, uint64_t part) {
  const mca::Summary &summary = evidence.report.summary;
  return double(part) / double(summary.cycles) * summary.cyclesPerIteration();
}

/// The waits of a kind, in cycles of the whole run.
uint64_t cyclesOf(const std::vector<Stall> &stalls) {
  return std::accumulate(stalls.begin(), stalls.end(), uint64_t{0},
                         [](uint64_t sum, const Stall &stall) { return sum + stall.reason->cycles; });
}

/// A verdict about waits of one kind, the longest first.
Verdict waitVerdict(Verdict::Kind kind, const Evidence &evidence, const std::vector<Stall> &stalls) {
  Verdict verdict{
      .kind = kind, .busy = inRate(evidence, cyclesOf(stalls)), .cycles = evidence.report.summary.cyclesPerIteration()};
  for (const Stall &stall : llvm::ArrayRef(stalls).take_front(kMaxWitnesses)) {
    Verdict::Witness &stalled = verdict.witnesses.emplace_back(witness(evidence.report, stall.instruction));
    stalled.wait = waitOf(*stall.reason, evidence.report, 1);
    stalled.wait.cycles = inRate(evidence, stall.reason->cycles);
  }
  return verdict;
}

// ---- buffers -------------------------------------------------------------------------------------------------------

/// The waits for room in the buffer that dispatch waits for most; empty if it waits for none.
std::vector<Stall> longestWaitForRoom(const Evidence &evidence) {
  if (evidence.inOrder || !evidence.waits || !evidence.report.summary.cycles)
    return {};
  auto stalls = stallsOf(*evidence.waits);
  constexpr auto kLastBuffer = static_cast<size_t>(mca::WaitKind::StoreQueue); // the first kinds are those of buffers
  return *std::ranges::max_element(stalls.begin(), stalls.begin() + kLastBuffer + 1, {}, cyclesOf);
}

Verdict bufferVerdict(const Evidence &evidence, double cycles, double least) {
  if (!evidence.roomy || evidence.roomy->cyclesPerIteration() > kNearlyAll * cycles)
    return {};
  const std::vector<Stall> stalls = longestWaitForRoom(evidence);
  if (stalls.empty() || inRate(evidence, cyclesOf(stalls)) < least)
    return {};
  Verdict verdict = waitVerdict(Verdict::Kind::Buffer, evidence, stalls);
  verdict.roomyCycles = evidence.roomy->cyclesPerIteration();
  verdict.cycles = cycles;
  return verdict;
}

// ---- in order ------------------------------------------------------------------------------------------------------

Verdict stallVerdict(const Evidence &evidence, double cycles, double least) {
  const mca::Summary &summary = evidence.report.summary;
  if (!evidence.inOrder || !evidence.waits || !summary.cycles)
    return {};
  const auto stalls = stallsOf(*evidence.waits);
  const auto most = std::ranges::max_element(stalls, {}, cyclesOf);
  uint64_t stalled = 0;
  for (const std::vector<Stall> &kind : stalls)
    stalled += cyclesOf(kind);
  const uint64_t issuing = summary.cycles - std::min(stalled, summary.cycles), waiting = cyclesOf(*most);
  if (inRate(evidence, std::max(issuing, waiting)) < least)
    return {};
  return issuing >= waiting ? widthVerdict(Verdict::Kind::IssueWidth, summary, inRate(evidence, issuing), cycles)
                            : waitVerdict(Verdict::Kind::Stall, evidence, *most);
}

// ---- the largest ---------------------------------------------------------------------------------------------------

Verdict largestVerdict(const Evidence &evidence, double cycles) {
  Verdict largest = stallVerdict(evidence, cycles, 0);
  if (largest.kind == Verdict::Kind::None) {
    const std::vector<double> &units = evidence.report.pressure.perIteration;
    const double busiest = units.empty() ? 0 : *std::ranges::max_element(units);
    if (busiest > 0)
      largest = resourceVerdict(evidence, cycles, kAlike * busiest);
    for (const auto rule : {dispatchVerdict, chainVerdict, bufferVerdict})
      if (Verdict verdict = rule(evidence, cycles, 0); verdict.busy > largest.busy)
        largest = std::move(verdict);
  }
  largest.isLargest = true;
  return largest;
}

/// The first rule that holds; Kind::None if none does.
Verdict firstVerdict(const Evidence &evidence) {
  const double cycles = evidence.report.summary.cyclesPerIteration();
  for (const auto rule : {resourceVerdict, dispatchVerdict, chainVerdict, memoryVerdict, bufferVerdict})
    if (Verdict verdict = rule(evidence, cycles, kNearlyAll * cycles); verdict.kind != Verdict::Kind::None)
      return verdict;
  return stallVerdict(evidence, cycles, kMostly * cycles);
}

} // namespace

Verdict judge(const Evidence &evidence) {
  const mca::Summary &summary = evidence.report.summary;
  if (summary.iterations < kMinIterations)
    return {};
  Verdict verdict = firstVerdict(evidence);
  if (verdict.kind == Verdict::Kind::None) {
    verdict = largestVerdict(evidence, summary.cyclesPerIteration());
    if (verdict.busy <= 0)
      return {};
  }
  verdict.isCalibrated = evidence.report.calibrated.has_value();
  return verdict;
}

bool mayLackRoom(const Evidence &evidence) {
  const mca::Summary &summary = evidence.report.summary;
  return summary.iterations >= kMinIterations &&
         double(cyclesOf(longestWaitForRoom(evidence))) >= kMostly * double(summary.cycles) && summary.cycles &&
         firstVerdict(evidence).kind == Verdict::Kind::None;
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

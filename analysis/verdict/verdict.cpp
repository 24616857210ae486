#include "analysis/verdict/verdict.h"

#include "analysis/common/instruction_text.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>

namespace analysis {
namespace {

constexpr double kNearlyAll = 0.9;
constexpr double kMostly = 0.5;
constexpr double kNoticeable = 0.1; ///< of the busiest user of a resource
constexpr uint32_t kMinIterations = 10;
constexpr size_t kMaxWitnesses = 5;

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

/// Who takes a noticeable part of the units, the greatest user first.
std::vector<UnitUser> usersOf(const mca::Report &report, const std::vector<size_t> &units) {
  std::vector<UnitUser> users;
  double most = 0;
  for (uint32_t i = 0; i < report.instructions.size(); ++i) {
    double cycles = 0;
    for (const size_t unit : units)
      cycles += report.pressure.at(i, unit);
    if (cycles >= 0.005)
      users.push_back({i, cycles});
    most = std::max(most, cycles);
  }
  llvm::erase_if(users, [&](const UnitUser &user) { return user.cycles < kNoticeable * most; });
  llvm::stable_sort(users, [](const UnitUser &a, const UnitUser &b) { return a.cycles > b.cycles; });
  return users;
}

/// The mnemonic that makes up half of the use, if any does.
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
  for (size_t i = 0; i < std::min(users.size(), kMaxWitnesses); ++i) {
    Verdict::Witness &user = verdict.witnesses.emplace_back(witness(report, users[i].instruction));
    for (const size_t unit : busy)
      user.uses.push_back({unitName(pressure.units[unit]), pressure.at(user.instruction, unit)});
  }
  return verdict;
}

// ---- dispatch ------------------------------------------------------------------------------------------------------

/// With the micro-ops of an iteration.
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
  const mca::DataflowLimit &limit = *evidence.limit;
  if (limit.cyclesPerIteration < kNearlyAll * cycles || limit.chain.empty())
    return {};
  Verdict verdict{.kind = Verdict::Kind::Registers, .busy = limit.cyclesPerIteration, .cycles = cycles};
  for (const mca::DataLink &link : limit.chain)
    verdict.chain.push_back({link.from, link.name, link.cycles, link.iterations});
  for (size_t i = 0; i < std::min(limit.chain.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back(witness(evidence.report, limit.chain[i].from));
  return verdict;
}

// ---- memory --------------------------------------------------------------------------------------------------------

/// Whether `to` depends on `from`, through registers and memory order, in any number of steps.
bool depends(uint32_t to, uint32_t from, const Evidence &evidence) {
  std::vector<std::vector<uint32_t>> needs(evidence.report.instructions.size());
  for (const mca::DataLink &link : evidence.links)
    needs[link.to].push_back(link.from);
  for (uint32_t i = 0; i < needs.size(); ++i)
    for (const mca::WaitReason &reason : evidence.waits->instructions[i].reasons)
      if (reason.kind == mca::WaitKind::Memory && reason.by != mca::kNoInstruction)
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
  struct {
    uint32_t instruction = 0;
    const mca::WaitReason *reason = nullptr;
  } longest;
  for (uint32_t i = 0; i < evidence.waits->instructions.size(); ++i)
    for (const mca::WaitReason &reason : evidence.waits->instructions[i].reasons)
      if (reason.kind == mca::WaitKind::Memory && reason.by != mca::kNoInstruction &&
          (!longest.reason || reason.cycles > longest.reason->cycles))
        longest = {i, &reason};
  const double waited = longest.reason ? double(longest.reason->cycles) / evidence.report.summary.iterations : 0;
  if (waited < kNearlyAll * cycles || !longest.reason || !depends(longest.reason->by, longest.instruction, evidence))
    return {};
  Verdict verdict{.kind = Verdict::Kind::Memory, .busy = waited, .cycles = cycles};
  verdict.witnesses = {witness(evidence.report, longest.instruction), witness(evidence.report, longest.reason->by)};
  verdict.witnesses.front().wait = waitOf(*longest.reason, evidence.report, evidence.report.summary.iterations);
  return verdict;
}

// ---- in order ------------------------------------------------------------------------------------------------------

/// What an in-order CPU's next instruction waits for, all instructions together.
struct Stalls {
  struct Place {
    uint32_t instruction = 0;
    const mca::WaitReason *reason = nullptr;
  };
  uint64_t cycles = 0;
  std::vector<Place> places; ///< most cycles first
};

std::array<Stalls, mca::kWaitKinds> stallsOf(const mca::Waits &waits) {
  std::array<Stalls, mca::kWaitKinds> stalls;
  for (uint32_t i = 0; i < waits.instructions.size(); ++i)
    for (const mca::WaitReason &reason : waits.instructions[i].reasons) {
      Stalls &kind = stalls[static_cast<size_t>(reason.kind)];
      kind.cycles += reason.cycles;
      kind.places.push_back({i, &reason});
    }
  for (Stalls &kind : stalls)
    llvm::stable_sort(kind.places, [](const auto &a, const auto &b) { return a.reason->cycles > b.reason->cycles; });
  return stalls;
}

Verdict stallVerdict(const Evidence &evidence, double cycles) {
  const mca::Summary &summary = evidence.report.summary;
  if (!evidence.inOrder || !evidence.waits || !summary.cycles)
    return {};
  const auto stalls = stallsOf(*evidence.waits);
  uint64_t stalled = 0;
  const Stalls *most = stalls.data();
  for (const Stalls &kind : stalls) {
    stalled += kind.cycles;
    most = kind.cycles > most->cycles ? &kind : most;
  }
  const auto inRate = [&](uint64_t part) { return double(part) / double(summary.cycles) * cycles; };
  const uint64_t issuing = summary.cycles - std::min(stalled, summary.cycles);
  if (double(issuing) >= kMostly * double(summary.cycles))
    return widthVerdict(Verdict::Kind::IssueWidth, summary, inRate(issuing), cycles);
  if (double(most->cycles) < kMostly * double(summary.cycles))
    return {};
  Verdict verdict{.kind = Verdict::Kind::Stall, .busy = inRate(most->cycles), .cycles = cycles};
  for (size_t i = 0; i < std::min(most->places.size(), kMaxWitnesses); ++i) {
    const Stalls::Place &place = most->places[i];
    Verdict::Witness &stalled = verdict.witnesses.emplace_back(witness(evidence.report, place.instruction));
    stalled.wait = waitOf(*place.reason, evidence.report, 1);
    stalled.wait.cycles = inRate(place.reason->cycles);
  }
  return verdict;
}

} // namespace

Verdict judge(const Evidence &evidence) {
  const mca::Report &report = evidence.report;
  const double cycles = report.summary.cyclesPerIteration();
  if (report.summary.iterations < kMinIterations)
    return {};
  Verdict verdict = resourceVerdict(evidence, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = dispatchVerdict(evidence, cycles);
  if (verdict.kind == Verdict::Kind::None && evidence.limit)
    verdict = registerVerdict(evidence, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = memoryVerdict(evidence, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = stallVerdict(evidence, cycles);
  return verdict;
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

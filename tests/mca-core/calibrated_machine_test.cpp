// The calibrated machine on bodies made by hand: each limit against a rate that the comment derives, and the core rules
// against a machine that is written here and works cycle by cycle.
#include "mca-core/engine/calibrated_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>

namespace mca {
namespace {

/// An instruction in units and cycles.
struct Code {
  std::vector<std::pair<uint16_t, double>> uses = {};
  std::vector<Cell> reads = {};
  std::vector<Cell> writes = {};
  int32_t latency = 1;
  double slots = 1;
  RenameTreatment treatment = RenameTreatment::None;
};

uint32_t ticks(double units) {
  return static_cast<uint32_t>(units * kTicksPerUnit + 0.5);
}

/// A body without memory: `capacities` of the resources in units, the limits of `limits`, which is in ticks.
CalibratedBody bodyOf(const std::vector<double> &capacities, const std::vector<Code> &codes,
                      CalibratedLimits limits = {}) {
  CalibratedBody body;
  body.limits = limits;
  if (!body.limits.slots)
    body.limits.slots = 8 * kTicksPerUnit;
  if (!body.limits.reorderBuffer)
    body.limits.reorderBuffer = 128;
  if (!body.limits.fetchQueue)
    body.limits.fetchQueue = 64;
  for (const double capacity : capacities)
    body.resources.push_back({"r" + std::to_string(body.resources.size()), ticks(capacity), 0, false});
  const auto endOf = [](const auto &list) { return static_cast<uint32_t>(list.size()); };
  for (const Code &code : codes) {
    CalibratedInstruction &added = body.instructions.emplace_back();
    added.slots = ticks(code.slots);
    added.treatment = code.treatment;
    added.codeBytes = 4;
    added.uses = {endOf(body.uses), endOf(code.uses)};
    for (const auto &[resource, units] : code.uses)
      body.uses.push_back({resource, ticks(units)});
    added.sources = {endOf(body.sources), endOf(code.reads)};
    for (const Cell cell : code.reads)
      body.sources.push_back({cell, 0, 0});
    added.destinations = {endOf(body.destinations), 1};
    body.destinations.push_back({{endOf(body.cells), endOf(code.writes)}, endOf(body.latencies), false});
    body.cells.insert(body.cells.end(), code.writes.begin(), code.writes.end());
    body.latencies.insert(body.latencies.end(), code.reads.size() + 1, code.latency);
    for (const auto &cells : {code.reads, code.writes})
      for (const Cell cell : cells)
        body.cellCount = std::max<uint32_t>(body.cellCount, cell + 1u);
  }
  return body;
}

struct RunOptions {
  uint32_t iterations = 100;
  uint32_t recorded = 0; ///< iterations whose times are kept
  uint64_t rateSearchLimit = 65536;
};

struct LoopRun {
  int64_t cycles = 0;
  /// The steady loop: so many cycles in so many iterations, in lowest terms.
  uint64_t rateCycles = 0, rateIterations = 0;
  bool rateIsExact = false;
  std::vector<InstanceTimes> times;                         ///< iteration by iteration
  std::map<uint64_t, CalibratedPipeline::Wait> longestWait; ///< by instance
};

/// Keeps what the machine reports.
struct Recorded {
  static constexpr bool kDetails = true;
  using Mark = int64_t;
  static bool wantsWaits() { return true; }
  void onInstance(uint64_t id, uint32_t, const InstanceTimes &times) {
    if (id < kept)
      run.times.push_back(times);
  }
  void onWaited(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
    CalibratedPipeline::Wait &longest = run.longestWait[id];
    if (to - from > longest.to - longest.from)
      longest = {kind, key, by, from, to};
  }
  void onRedirect(const Redirect &) {}
  void onCyclesEnd(int64_t cycles) { run.cycles += cycles; }
  void mark(Mark &mark) const { mark = run.cycles; }
  void repeat(Mark mark, uint64_t times) { run.cycles += (run.cycles - mark) * static_cast<int64_t>(times); }
  uint64_t watched() const { return kept; }
  static bool canExtrapolate() { return false; }
  void extrapolate(Mark, uint64_t) {}

  uint64_t kept = 0;
  LoopRun run = {};
};

LoopRun runOf(const CalibratedBody &body, const RunOptions &options = {}) {
  const uint64_t count = body.instructions.size();
  Recorded recorded{.kept = count * options.recorded};
  CalibratedMachine<Recorded> machine;
  machine.run(body, {}, recorded, options.iterations);
  Recorded unused;
  const MachineOptions search{.rateSearchLimit = count * std::max<uint64_t>(options.rateSearchLimit / count, 64)};
  const InstanceRate rate = machine.findSteadyRate(body, search, unused);
  const uint64_t cycles = rate.cycles * count, divisor = std::gcd(cycles, rate.instances);
  recorded.run.rateCycles = cycles / divisor;
  recorded.run.rateIterations = rate.instances / divisor;
  recorded.run.rateIsExact = !rate.isMeasured;
  return std::move(recorded.run);
}

/// Cycles per iteration of the steady loop, which must repeat.
double rateOf(const CalibratedBody &body) {
  const LoopRun run = runOf(body);
  EXPECT_TRUE(run.rateIsExact);
  return double(run.rateCycles) / double(run.rateIterations);
}

const Code kAlu{.uses = {{0, 1}}};

Code chained(int32_t latency) {
  return {.uses = {{0, 1}}, .reads = {0}, .writes = {0}, .latency = latency};
}

TEST(CalibratedMachine, FollowsAChainOfDependentInstructions) {
  EXPECT_EQ(rateOf(bodyOf({4}, {chained(3)})), 3);
  EXPECT_EQ(rateOf(bodyOf({4}, {chained(3), chained(1), kAlu, kAlu})), 4);
}

TEST(CalibratedMachine, SharesAResourceByFractions) {
  EXPECT_EQ(rateOf(bodyOf({4}, {kAlu, kAlu, kAlu, kAlu, kAlu, kAlu})), 1.5);
  EXPECT_EQ(rateOf(bodyOf({1}, {{.uses = {{0, 0.75}}}})), 0.75);
  EXPECT_EQ(rateOf(bodyOf({3}, {{.uses = {{0, 1}}}, {.uses = {{0, 0.5}}}})), 0.5);
}

TEST(CalibratedMachine, KeepsAResourceForSeveralCycles) {
  EXPECT_EQ(rateOf(bodyOf({1}, {{.uses = {{0, 13}}}})), 13);
}

TEST(CalibratedMachine, NeedsRoomInEachResourceOfAnInstruction) {
  // Two multiplications and two shifts: three fit into their own resource, but all four take of the shared one.
  const Code multiply{.uses = {{0, 1}, {1, 1}}}, shift{.uses = {{0, 1}, {2, 1}}};
  EXPECT_EQ(rateOf(bodyOf({4, 3, 3}, {multiply, multiply, shift, shift})), 1);
  EXPECT_EQ(rateOf(bodyOf({4, 3, 3}, {multiply, multiply, multiply, multiply})), 4.0 / 3);
}

TEST(CalibratedMachine, RenamesAsManySlotsAsThereAre) {
  EXPECT_EQ(rateOf(bodyOf({8}, std::vector<Code>(7, kAlu), {.slots = 4 * kTicksPerUnit})), 7.0 / 4);
  Code two = kAlu;
  two.slots = 2;
  EXPECT_EQ(rateOf(bodyOf({8}, {two, kAlu}, {.slots = 4 * kTicksPerUnit})), 3.0 / 4);
}

TEST(CalibratedMachine, RenamesVectorInstructionsWithinTheirOwnLimit) {
  CalibratedBody body = bodyOf({8}, std::vector<Code>(8, kAlu), {.vectorSlots = 2 * kTicksPerUnit});
  EXPECT_EQ(rateOf(body), 1);
  for (size_t i = 0; i < 4; ++i)
    body.instructions[i].slotKind = SlotKind::Vector;
  EXPECT_EQ(rateOf(body), 2);
}

TEST(CalibratedMachine, FetchesTheBytesOfTheCode) {
  // 8 instructions of 4 bytes.
  EXPECT_EQ(rateOf(bodyOf({8}, std::vector<Code>(8, kAlu), {.codeBytes = 16 * kTicksPerUnit})), 2);
  EXPECT_EQ(rateOf(bodyOf({8}, std::vector<Code>(8, kAlu), {.codeBytes = 32 * kTicksPerUnit})), 1);
}

TEST(CalibratedMachine, LosesTheRestOfACycleAfterATakenBranch) {
  CalibratedBody body = bodyOf({8}, {kAlu, kAlu}, {.takenBranchTicks = kTicksPerUnit});
  EXPECT_EQ(rateOf(body), 0.25);
  body.instructions.back().isTakenBranch = true;
  EXPECT_EQ(rateOf(body), 1);
  body.limits.takenBranchTicks = kTicksPerUnit / 2;
  EXPECT_EQ(rateOf(body), 0.5);
  body.limits.takenBranchTicks = 2 * kTicksPerUnit;
  EXPECT_EQ(rateOf(body), 2);
}

TEST(CalibratedMachine, ChargesSmallLoops) {
  CalibratedBody body = bodyOf({8}, std::vector<Code>(3, kAlu), {.slots = 4 * kTicksPerUnit});
  body.instructions.back().isTakenBranch = true;
  EXPECT_EQ(rateOf(body), 0.75);
  body.limits.lostSlots = kTicksPerUnit / 2;
  EXPECT_EQ(rateOf(body), 0.875);
  body.limits.wholeCycles = true;
  EXPECT_EQ(rateOf(body), 1);
  body.limits.leastCycles = 3;
  EXPECT_EQ(rateOf(body), 3);
}

TEST(CalibratedMachine, ExecutesNothingForZeroIdiomsAndEliminatedMoves) {
  Code zero{.writes = {0}, .treatment = RenameTreatment::Zero};
  EXPECT_EQ(rateOf(bodyOf({1}, {zero, chained(5), chained(5)})), 2) << "no chain, two uses of one unit";
  Code move{.uses = {{0, 1}}, .reads = {0}, .writes = {1}};
  Code back{.uses = {{0, 1}}, .reads = {1}, .writes = {0}, .latency = 3};
  EXPECT_EQ(rateOf(bodyOf({1}, {move, back})), 4);
  move.treatment = RenameTreatment::Eliminated;
  EXPECT_EQ(rateOf(bodyOf({1}, {move, back})), 3);
  Code add = chained(1);
  add.treatment = RenameTreatment::Immediate;
  EXPECT_EQ(rateOf(bodyOf({1}, std::vector<Code>(8, add))), 1) << "8 slots";
}

TEST(CalibratedMachine, StopsRenamingWhenTheSchedulerIsFull) {
  // The chain takes 10 cycles. Without a limit, the four others are executed beside it; a scheduler of two holds the
  // next link of the chain and one other instruction.
  const std::vector<Code> codes{chained(10), chained(10), kAlu, kAlu};
  EXPECT_EQ(rateOf(bodyOf({8}, codes)), 20);
  const auto issuedWith = [&](uint32_t scheduler) {
    const LoopRun run = runOf(bodyOf({8}, codes, {.scheduler = scheduler}), {.recorded = 1});
    return run.times[2].dispatched;
  };
  EXPECT_EQ(issuedWith(0), 0);
  EXPECT_EQ(issuedWith(2), 2) << "the first link issues in cycle 1";
  EXPECT_EQ(issuedWith(1), 12) << "the second link issues in cycle 11";
}

TEST(CalibratedMachine, StopsRenamingWhenTheReorderBufferIsFull) {
  // A load-like instruction of 20 cycles that depends on nothing: 10 entries hold two iterations of five.
  std::vector<Code> codes(5, kAlu);
  codes[0].latency = 20;
  EXPECT_EQ(rateOf(bodyOf({8}, codes, {.reorderBuffer = 10})), 11) << "two iterations in 22 cycles";
  EXPECT_EQ(rateOf(bodyOf({8}, codes, {.reorderBuffer = 320})), 5.0 / 8);
}

TEST(CalibratedMachine, RetiresSoManyInACycle) {
  EXPECT_EQ(rateOf(bodyOf({8}, std::vector<Code>(6, kAlu), {.reorderBuffer = 64, .retired = 3})), 2);
}

TEST(CalibratedMachine, TakesMoreOfAResourceIfAnInstructionWaits) {
  CalibratedBody body = bodyOf({2}, {chained(1), chained(1)});
  EXPECT_EQ(rateOf(body), 2);
  body.resources[0].dependentTicks = 2 * kTicksPerUnit;
  EXPECT_EQ(rateOf(body), 3) << "three units each, two a cycle";
  CalibratedBody independent = bodyOf({2}, {kAlu, kAlu, kAlu, kAlu});
  independent.resources[0].dependentTicks = 2 * kTicksPerUnit;
  EXPECT_EQ(rateOf(independent), 2);
}

/// A store of a chain's value and a load that begins the chain again.
CalibratedBody roundTrip(std::optional<StoreForward> forward) {
  CalibratedBody body = bodyOf({4}, {chained(1), {.uses = {{0, 1}}, .reads = {0}}, {.uses = {{0, 1}}, .writes = {0}}});
  body.destinations[1].isMemory = true;
  body.latencies[body.destinations[1].latencies] = body.latencies[body.destinations[1].latencies + 1] = 0;
  body.instructions[1].mayStore = true;
  CalibratedInstruction &load = body.instructions[2];
  load.mayLoad = true;
  std::swap(load.uses, load.loadUses);
  load.loadLatency = 4;
  body.latencies[body.destinations[2].latencies] = 0;
  if (forward) {
    load.forward = 0;
    body.forwards.push_back(*forward);
  }
  return body;
}

TEST(CalibratedMachine, ForwardsStoresToLoads) {
  using Kind = StoreForward::Kind;
  EXPECT_LT(rateOf(roundTrip({})), 1.1) << "the load breaks the chain";
  EXPECT_EQ(rateOf(roundTrip(StoreForward{.kind = Kind::General, .store = 1, .latency = 7})), 8);
  EXPECT_EQ(rateOf(roundTrip(StoreForward{.kind = Kind::Renamed, .store = 1, .latency = 0})), 1);
  EXPECT_EQ(rateOf(roundTrip(StoreForward{.kind = Kind::General, .store = 1, .distance = 2, .latency = 7})), 8.0 / 3)
      << "three chains beside each other";
}

TEST(CalibratedMachine, WritesStoresInOrderBeforeTheirEntriesAreFree) {
  CalibratedBody body = bodyOf({4}, std::vector<Code>(2, kAlu), {.storeQueue = 32});
  for (CalibratedInstruction &store : body.instructions)
    store.mayStore = true;
  EXPECT_EQ(rateOf(body), 0.5);
  for (CalibratedInstruction &store : body.instructions)
    store.commitTicks = kTicksPerUnit;
  EXPECT_EQ(rateOf(body), 2);
  body.instructions[1].commitTicks = 0;
  EXPECT_EQ(rateOf(body), 1) << "the second one leaves with the first";
  body.instructions[0].commitTicks = kTicksPerUnit / 2;
  EXPECT_EQ(rateOf(body), 0.5);
}

TEST(CalibratedMachine, HandlesAFusedPairAsOneInstruction) {
  CalibratedBody body = bodyOf({1}, {kAlu, kAlu});
  EXPECT_EQ(rateOf(body), 2);
  body.instructions[0].fusedWithNext = body.instructions[1].fusedWithPrevious = true;
  body.instructions[1].uses.count = body.instructions[1].slots = body.instructions[1].entries = 0;
  EXPECT_EQ(rateOf(body), 1);
}

TEST(CalibratedMachine, LetsAnOperandComeLateThatIsNeededLate) {
  // A load and an addition: the chain runs through the addition alone, as the load needs no earlier result.
  CalibratedBody body = bodyOf({4}, {chained(1)});
  body.latencies[0] = 5;
  body.sources[0].slack = 4;
  EXPECT_EQ(rateOf(body), 1);
}

TEST(CalibratedMachine, SaysWhatAnInstructionWaitsFor) {
  LoopRun run = runOf(bodyOf({4}, {chained(2), chained(7)}), {.iterations = 10, .recorded = 10});
  EXPECT_EQ(run.longestWait[18].kind, WaitKind::Register);
  EXPECT_EQ(run.longestWait[18].by, 17u);
  EXPECT_EQ(run.longestWait[19].by, 18u);
  run = runOf(bodyOf({4, 1}, {{.uses = {{1, 1}}}, {.uses = {{1, 1}}}, kAlu}), {.iterations = 10, .recorded = 10});
  EXPECT_EQ(run.longestWait[28].kind, WaitKind::Resource);
  EXPECT_EQ(run.longestWait[28].key, 1u);
  run =
      runOf(bodyOf({8}, std::vector<Code>(4, kAlu), {.slots = 4 * kTicksPerUnit}), {.iterations = 10, .recorded = 10});
  EXPECT_TRUE(run.longestWait.empty()) << "the front end takes its time, and nothing waits";
  run = runOf(bodyOf({8}, {chained(9), kAlu}, {.reorderBuffer = 2}), {.iterations = 10, .recorded = 10});
  EXPECT_EQ(run.longestWait[18].kind, WaitKind::RetireTokens);
  EXPECT_EQ(run.longestWait[19].kind, WaitKind::RetireOrder);
  EXPECT_EQ(run.longestWait[19].by, 18u);
}

/// Follows `positions`, with mispredicted branches at the ends of the segments.
class Segments final : public InstructionStream {
public:
  explicit Segments(std::vector<std::vector<uint32_t>> all) : all_(std::move(all)) {}
  Segment next() override {
    if (at_ == all_.size())
      return {};
    const bool isLast = at_ + 1 == all_.size();
    return {all_[at_++], !isLast};
  }

private:
  std::vector<std::vector<uint32_t>> all_;
  size_t at_ = 0;
};

TEST(CalibratedMachine, FollowsATrace) {
  CalibratedBody body = bodyOf({4}, {chained(3), chained(5), kAlu});
  for (CalibratedInstruction &code : body.instructions)
    code.isBeforeNext = true;
  body.instructions.back().isBranch = true;
  const auto cyclesOf = [&](std::vector<std::vector<uint32_t>> all, uint32_t redirectCycles) {
    Recorded recorded;
    Segments segments(std::move(all));
    CalibratedMachine<Recorded>().run(body, recorded, segments, redirectCycles);
    return recorded.run.cycles;
  };
  const int64_t loop = runOf(body, {.iterations = 3}).cycles;
  EXPECT_EQ(cyclesOf({{0, 1, 2, 0, 1, 2, 0, 1, 2}}, 0), loop) << "as in a loop";
  EXPECT_EQ(cyclesOf({{0, 2, 0, 2, 0, 2}}, 0), loop - 15) << "without the link of 5 cycles";
  // The branch is executed in cycle 2, and the next iteration enters so many cycles later.
  EXPECT_EQ(cyclesOf({{2}, {2}}, 10) - cyclesOf({{2, 2}}, 10), 2 + 10);
}

/// Two bodies of one instruction after a branch, which is taken to the second one.
TEST(CalibratedMachine, LosesFetchWhereOnlyTheBetterPredictorIsRight) {
  CalibratedBody body = bodyOf({16}, {kAlu, kAlu, kAlu});
  body.limits.fetchQueue = 2;
  for (CalibratedInstruction &code : body.instructions)
    code.isBeforeNext = true;
  const auto cyclesOf = [&](const std::vector<uint32_t> &after, uint32_t penalty, uint32_t ofTargets = 0) {
    body.limits.overrideCycles = penalty;
    body.limits.targetCycles = ofTargets;
    std::vector<uint32_t> positions;
    for (int i = 0; i < 400; ++i)
      positions.insert(positions.end(), {0, after[static_cast<size_t>(i) % after.size()]});
    Recorded recorded;
    Segments segments({std::move(positions)});
    CalibratedMachine<Recorded>().run(body, recorded, segments, 0);
    return recorded.run.cycles;
  };
  body.instructions.front().isBranch = body.instructions.front().isConditional = true;
  for (const std::vector<uint32_t> &steady : {std::vector<uint32_t>{1}, {2}})
    EXPECT_NEAR(double(cyclesOf(steady, 3)), double(cyclesOf(steady, 0)), 6) << "the counter has learnt it";
  // The counter is wrong about what is not taken, and near that each taken branch costs as much.
  EXPECT_NEAR(double(cyclesOf({2, 1}, 3)), 400 * 3, 20);
  EXPECT_NEAR(double(cyclesOf({2, 2, 2, 1}, 3)), 400 * 3, 20);
  std::vector<uint32_t> rare(99, 2);
  rare.push_back(1);
  EXPECT_NEAR(double(cyclesOf(rare, 3) - cyclesOf({2}, 3)), 3 * 3 * (1 + 16), 20) << "the next 16 that are taken";
  body.instructions.front().isConditional = false;
  body.instructions.front().isIndirect = true;
  EXPECT_NEAR(double(cyclesOf({2, 1}, 0, 3)), 400 * 3, 10) << "the target of the last time is always wrong";
  EXPECT_NEAR(double(cyclesOf({2}, 0, 3)), double(cyclesOf({2}, 0)), 6);
}

/// In which cycles the instructions of an iteration are issued, of one micro-op each that may take these ports.
std::vector<int64_t> issuedAt(const std::vector<uint32_t> &ports, LoopRun &run) {
  CalibratedBody body = bodyOf({2}, std::vector<Code>(ports.size()));
  body.portCount = 2;
  for (uint32_t i = 0; i < ports.size(); ++i) {
    body.instructions[i].ports = {i, 1};
    body.portUses.push_back({ports[i], kTicksPerUnit, 0});
  }
  run = runOf(body, {.iterations = 1, .recorded = 1});
  std::vector<int64_t> cycles;
  for (const InstanceTimes &times : run.times)
    cycles.push_back(times.issued);
  return cycles;
}

TEST(CalibratedMachine, BindsAMicroOpToThePortThatTheFewestWaitFor) {
  constexpr uint32_t kFirst = 1, kEither = 3;
  LoopRun run;
  EXPECT_EQ(issuedAt({kFirst, kEither}, run), (std::vector<int64_t>{1, 1})) << "the second one goes to the other port";
  EXPECT_EQ(issuedAt({kEither, kFirst}, run), (std::vector<int64_t>{1, 2})) << "the other port stays free";
  EXPECT_EQ(run.longestWait[1].kind, WaitKind::Resource);
  EXPECT_EQ(run.longestWait[1].key, 0u);
  EXPECT_EQ(issuedAt({kEither, kEither, kEither, kEither}, run), (std::vector<int64_t>{1, 1, 2, 2}));
}

TEST(CalibratedMachine, ReadsAStoreOfATraceOnlyIfItWasExecuted) {
  const CalibratedBody body = roundTrip(StoreForward{.kind = StoreForward::Kind::General, .store = 1, .latency = 7});
  const auto cyclesOf = [&](std::vector<uint32_t> positions) {
    Recorded recorded;
    Segments segments({std::move(positions)});
    CalibratedMachine<Recorded>().run(body, recorded, segments, 0);
    return recorded.run.cycles;
  };
  EXPECT_EQ(cyclesOf({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}) - cyclesOf({0, 1, 2, 0, 1, 2}), 16);
  EXPECT_LE(cyclesOf({0, 2, 0, 2, 0, 2, 0, 2}) - cyclesOf({0, 2, 0, 2}), 2) << "the load breaks the chain";
}

TEST(CalibratedMachine, ComputesTheSameCyclesAsIfNothingRepeated) {
  const CalibratedBody body = bodyOf({2, 1}, {chained(3), kAlu, {.uses = {{1, 0.6}}}, kAlu, kAlu});
  const LoopRun all = runOf(body, {.iterations = 1000, .recorded = 1000});
  const LoopRun some = runOf(body, {.iterations = 1000});
  EXPECT_EQ(some.cycles, all.cycles);
  EXPECT_EQ(all.cycles, all.times.back().retired);
  EXPECT_EQ(all.times.size(), 5000u);
}

TEST(CalibratedMachine, MeasuresALoopThatDoesNotRepeatSoon) {
  const CalibratedBody body = bodyOf({1}, {{.uses = {{0, 0.4451}}}});
  const LoopRun run = runOf(body, {.rateSearchLimit = 400});
  EXPECT_FALSE(run.rateIsExact);
  EXPECT_NEAR(double(run.rateCycles) / double(run.rateIterations), 0.4451, 0.01);
}

/// The same machine, cycle by cycle: rename in order while there is room, issue the oldest ready ones, retire in order.
/// Each use is a whole unit.
class Reference {
public:
  Reference(const std::vector<Code> &codes, const std::vector<double> &capacities, uint32_t slots, uint32_t scheduler,
            uint32_t reorderBuffer)
      : codes_(codes), capacities_(capacities), slots_(slots), scheduler_(scheduler), reorderBuffer_(reorderBuffer) {}

  std::vector<InstanceTimes> run(size_t iterations) {
    const size_t all = codes_.size() * iterations;
    while (retired_ < all) {
      retire();
      issue();
      rename(all);
      ++cycle_;
    }
    return times_;
  }

private:
  const Code &codeOf(size_t number) const { return codes_[number % codes_.size()]; }

  void retire() {
    while (retired_ < times_.size() && times_[retired_].issued >= 0 && times_[retired_].executed <= cycle_)
      times_[retired_++].retired = cycle_;
  }

  void issue() {
    std::vector<double> room = capacities_;
    for (size_t i = retired_; i < times_.size(); ++i) {
      const Code &code = codeOf(i);
      const bool isReady = std::ranges::all_of(
          writers_[i], [&](size_t writer) { return times_[writer].issued >= 0 && times_[writer].executed <= cycle_; });
      const bool hasRoom = std::ranges::all_of(code.uses, [&](const auto &use) { return room[use.first] >= 1; });
      if (times_[i].issued >= 0 || !isReady || !hasRoom)
        continue;
      for (const auto &use : code.uses)
        room[use.first] -= 1;
      times_[i].issued = cycle_;
      times_[i].executed = cycle_ + code.latency;
    }
  }

  void rename(size_t all) {
    for (uint32_t slot = 0; slot < slots_ && times_.size() < all; ++slot) {
      const auto waits = [&](const InstanceTimes &one) { return one.issued < 0 || one.issued == cycle_; };
      const auto isHeld = [&](const InstanceTimes &one) { return one.retired < 0 || one.retired == cycle_; };
      if (std::ranges::count_if(times_, isHeld) >= reorderBuffer_ ||
          (scheduler_ && std::ranges::count_if(times_, waits) >= scheduler_))
        return;
      const Code &code = codeOf(times_.size());
      std::vector<size_t> &writers = writers_.emplace_back();
      for (const Cell cell : code.reads)
        if (lastWriter_.contains(cell))
          writers.push_back(lastWriter_[cell]);
      for (const Cell cell : code.writes)
        lastWriter_[cell] = times_.size();
      times_.push_back({.dispatched = cycle_, .issued = -1, .executed = -1, .retired = -1});
    }
  }

  const std::vector<Code> &codes_;
  const std::vector<double> &capacities_;
  const uint32_t slots_, scheduler_, reorderBuffer_;
  int64_t cycle_ = 0;
  size_t retired_ = 0;
  std::vector<InstanceTimes> times_;
  std::vector<std::vector<size_t>> writers_;
  std::map<Cell, size_t> lastWriter_;
};

TEST(CalibratedMachine, IsTheMachineThatIssuesTheOldestFirst) {
  std::mt19937 random(20);
  const auto upTo = [&](uint32_t most) { return static_cast<uint32_t>(random() % (most + 1)); };
  for (int round = 0; round < 300; ++round) {
    std::vector<double> capacities(1 + upTo(2));
    for (double &capacity : capacities)
      capacity = 1 + upTo(3);
    std::vector<Code> codes(1 + upTo(11));
    for (Code &code : codes) {
      for (uint16_t resource = 0; resource < capacities.size(); ++resource)
        if (resource == 0 || upTo(2) == 0)
          code.uses.push_back({resource, 1});
      for (uint32_t reads = upTo(2); reads; --reads)
        code.reads.push_back(static_cast<Cell>(upTo(5)));
      code.writes.push_back(static_cast<Cell>(upTo(5)));
      code.latency = static_cast<int32_t>(1 + upTo(6));
    }
    const uint32_t slots = 1 + upTo(5), scheduler = upTo(1) ? 1 + upTo(20) : 0, reorderBuffer = 2 + upTo(60);
    const CalibratedBody body = bodyOf(
        capacities, codes, {.slots = slots * kTicksPerUnit, .reorderBuffer = reorderBuffer, .scheduler = scheduler});
    const LoopRun run = runOf(body, {.iterations = 30, .recorded = 30});
    const std::vector<InstanceTimes> expected = Reference(codes, capacities, slots, scheduler, reorderBuffer).run(30);
    ASSERT_EQ(run.times.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(run.times[i].dispatched, expected[i].dispatched) << "round " << round << ", instruction " << i;
      ASSERT_EQ(run.times[i].issued, expected[i].issued) << "round " << round << ", instruction " << i;
      ASSERT_EQ(run.times[i].executed, expected[i].executed) << "round " << round << ", instruction " << i;
      ASSERT_EQ(run.times[i].retired, expected[i].retired + 1) << "round " << round << ", instruction " << i;
    }
    EXPECT_EQ(run.cycles, expected.back().retired + 1);
  }
}

/// Three ports, and a micro-op of each instruction for some of them.
void bindToPorts(CalibratedBody &body, std::mt19937 &random) {
  body.portCount = 3;
  body.takesPortsInTurn = random() % 2 != 0;
  for (CalibratedInstruction &code : body.instructions) {
    code.ports = {static_cast<uint32_t>(body.portUses.size()), 1};
    body.portUses.push_back({1 + static_cast<uint32_t>(random() % 7), kTicksPerUnit, 0});
  }
}

/// A body with every limit, fractions, vectors, ports and forwarding.
CalibratedBody randomBody(std::mt19937 &random) {
  const auto upTo = [&](uint32_t most) { return static_cast<uint32_t>(random() % (most + 1)); };
  std::vector<Code> codes(2 + upTo(8));
  for (Code &code : codes) {
    code.uses = {{0, 0.25 * (1 + upTo(7))}};
    if (upTo(1))
      code.uses.push_back({1, 0.5 * (1 + upTo(20))});
    code.reads = {static_cast<Cell>(upTo(4))};
    code.writes = {static_cast<Cell>(upTo(4))};
    code.latency = static_cast<int32_t>(1 + upTo(12));
    code.slots = 0.5 * (1 + upTo(3));
  }
  CalibratedBody body = bodyOf({3, 2.5}, codes,
                               {.slots = (2 + upTo(4)) * kTicksPerUnit,
                                .vectorSlots = upTo(1) * 3 * kTicksPerUnit,
                                .codeBytes = upTo(1) * (8 + upTo(16)) * kTicksPerUnit,
                                .takenBranchTicks = upTo(1) * kTicksPerUnit,
                                .fetchQueue = 4 + upTo(20),
                                .reorderBuffer = 8 + upTo(60),
                                .scheduler = upTo(1) * (2 + upTo(20)),
                                .vectorScheduler = upTo(1) * (1 + upTo(9)),
                                .loadQueue = upTo(1) * (1 + upTo(9)),
                                .storeQueue = 1 + upTo(9),
                                .retired = upTo(1) * (2 + upTo(4)),
                                .lostSlots = upTo(2) * kTicksPerUnit / 2,
                                .leastCycles = upTo(6),
                                .wholeCycles = upTo(1) != 0});
  for (CalibratedInstruction &code : body.instructions)
    code.slotKind = upTo(1) ? SlotKind::Vector : SlotKind::General;
  body.instructions.back().isTakenBranch = upTo(1) != 0;
  const uint32_t last = static_cast<uint32_t>(body.instructions.size()) - 1;
  body.instructions[last].mayStore = true;
  body.instructions[last].commitTicks = upTo(2) * kTicksPerUnit / 2;
  body.destinations[last].isMemory = true;
  body.instructions[0].mayLoad = true;
  body.instructions[0].loadLatency = 4;
  std::swap(body.instructions[0].loadUses, body.instructions[0].uses);
  body.instructions[0].forward = 0;
  body.forwards.push_back({.kind = upTo(1) ? StoreForward::Kind::General : StoreForward::Kind::Renamed,
                           .store = last,
                           .distance = 1 + upTo(2),
                           .latency = static_cast<int32_t>(upTo(9))});
  if (upTo(1))
    bindToPorts(body, random);
  return body;
}

TEST(CalibratedMachine, FindsOnlyStatesThatRepeat) {
  std::mt19937 random(21);
  unsigned exact = 0;
  for (int round = 0; round < 300; ++round) {
    const CalibratedBody body = randomBody(random);
    const LoopRun all = runOf(body, {.iterations = 600, .recorded = 600});
    const LoopRun some = runOf(body, {.iterations = 600});
    ASSERT_EQ(some.cycles, all.cycles) << "round " << round;
    exact += some.rateIsExact;
    const double slope = double(all.times.back().retired - all.times[all.times.size() / 2 - 1].retired) / 300;
    ASSERT_NEAR(slope, double(some.rateCycles) / double(some.rateIterations), 0.05 + slope / 50) << "round " << round;
  }
  EXPECT_GT(exact, 290u);
}

} // namespace
} // namespace mca

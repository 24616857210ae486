// Probes of loads that follow stores, of stores that leave, and of accesses across lines.
#include "mca-core/measure/probes/structural_probe_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;

class MemoryProbes : public StructuralProbes {
public:
  using StructuralProbes::StructuralProbes;

  void measure() {
    measureForwarding();
    measureCommit();
    measureSplits();
    measureBanks();
  }

private:
  void measureForwarding();
  std::vector<size_t> addForwarding(const Insts &setup, bool indexed);
  std::optional<double> forwardingOf(std::span<const size_t> probes) const;
  bool measureRenaming(double forwarding, bool otherStores);
  void measurePredictiveForwarding(double forwarding, uint8_t loadBase, bool indexed);
  void measureCommit();
  void measureSplits();
  void measureBanks();
};

/// Chains of a store, a load of its value and a few extensions: with some numbers of them, loads are too early and have
/// to wait for another reason, so the one in the middle counts. The load has another base: a CPU that renames memory
/// knows by equal bases that no forwarding is needed. One that finds it out for any two bases is only slow with an
/// index.
void MemoryProbes::measureForwarding() {
  constexpr double kNothing = 1.5, kShuffles = 2;
  const MCOperand vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  const Insts setup{lea(kOtherBase, kBase, 0)};
  const std::vector<size_t> plain = addForwarding(setup, false), indexed = addForwarding(setup, true);
  const Insts throughMemory{store("MOVAPSmr", vector, kBase), load("MOVAPSrm", vector, kOtherBase)};
  const size_t vectors = add("vector forwarding", throughMemory, setup);
  Insts shuffled = throughMemory;
  shuffled.insert(shuffled.end(), size_t(kShuffles), make("PSHUFDri", {vector, vector, immediate(0xe4)}));
  const size_t withShuffles = add("vector forwarding", std::move(shuffled), setup);
  const size_t wider = add("forwarding of a part", {store("MOV32mr", part(kValue, "MOV32mr", 5), kBase),
                                                    load("MOV64rm", general(kValue), kBase)});
  run();
  const std::optional<double> ofPlain = forwardingOf(plain);
  if (!ofPlain)
    return;
  const bool renamesAll = *ofPlain < kNothing;
  const double latency = renamesAll ? forwardingOf(indexed).value_or(*ofPlain) : *ofPlain;
  Values values{{"general", std::max(0.0, std::round(latency))}};
  // Some CPUs need longer where nothing is computed in between.
  if (const auto time = cycles(vectors))
    values["vector"] = std::round(std::min(*time, cycles(withShuffles).value_or(*time + kShuffles) - kShuffles));
  if (const auto time = cycles(wider))
    values["partial"] = std::round(*time);
  rule("store-forwarding", values, "forwarding", plain.front());
  const bool renamesAnyBase = measureRenaming(latency, renamesAll);
  measurePredictiveForwarding(latency, renamesAnyBase ? kOtherBase : kBase, renamesAll);
}

/// Chains with more and more extensions.
std::vector<size_t> MemoryProbes::addForwarding(const Insts &setup, bool indexed) {
  constexpr size_t kMostExtensions = 4;
  std::vector<size_t> probes;
  for (size_t extensions = 0; extensions <= kMostExtensions; ++extensions) {
    Insts chain{store("MOV64mr", general(kValue), kBase), load("MOV64rm", general(kValue), kOtherBase, 0, indexed)};
    chain.insert(chain.end(), extensions, extend(kValue, kValue));
    probes.push_back(add("forwarding", std::move(chain), setup));
  }
  return probes;
}

std::optional<double> MemoryProbes::forwardingOf(std::span<const size_t> probes) const {
  std::vector<double> latencies;
  for (size_t extensions = 0; extensions < probes.size(); ++extensions)
    if (const auto time = cycles(probes[extensions]))
      latencies.push_back(*time - double(extensions));
  std::ranges::sort(latencies);
  return latencies.empty() ? std::nullopt : std::optional(latencies[latencies.size() / 2]);
}

/// Loops in which a value goes through many places in memory, from one to the next. A CPU that predicts which store a
/// load follows knows so many loads by their addresses in the code. Extensions keep other limits away. `loadBase`,
/// `indexed`: where equal bases rename memory, the loads have another one, and where any two do, an index, as nothing
/// is left to predict otherwise.
void MemoryProbes::measurePredictiveForwarding(double forwarding, uint8_t loadBase, bool indexed) {
  constexpr size_t kMostPlaces = 64;
  constexpr double kExtensions = 3;
  const Insts setup{lea(kOtherBase, kBase, 0)};
  const auto hop = [&](const char *to, const MCInst &from, int64_t at) {
    Insts insts{store(to, part(kValue, to, 5), kBase, at), from};
    insts.insert(insts.end(), size_t(kExtensions), extend(kValue, kValue));
    return insts;
  };
  std::vector<std::pair<size_t, size_t>> probes; // places, probe
  for (size_t places = 1; places <= kMostPlaces; places *= 2) {
    Insts insts;
    for (size_t place = 0; place < places; ++place) {
      const auto at = static_cast<int64_t>(8 * place);
      llvm::append_range(insts, hop("MOV64mr", load("MOV64rm", general(kValue), loadBase, at, indexed), at));
    }
    probes.emplace_back(places, add("predicted forwarding", std::move(insts), setup, true));
  }
  const auto narrow = [&](const char *to, const char *from) {
    return add("predicted forwarding", hop(to, load(from, part(kValue, from, 0), loadBase, 0, indexed), 0), setup,
               true);
  };
  const size_t four = narrow("MOV32mr", "MOV32rm"), two = narrow("MOV16mr", "MOVZX32rm16"),
               one = narrow("MOV8mr", "MOVZX32rm8");
  Insts adding{store("MOV64mr", general(kValue), kBase)};
  MCInst addition = make("ADD64rm", {general(kSecond), general(kSecond)});
  for (const MCOperand &operand : address(loadBase, 0, indexed))
    addition.addOperand(operand);
  adding.push_back(addition);
  llvm::append_range(adding, Insts{extend(kValue, kSecond), extend(kValue, kValue)});
  const size_t operation = add("predicted forwarding", adding, setup, true);
  const MCOperand vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  const size_t vectors =
      add("predicted forwarding",
          {store("MOVAPSmr", vector, kBase), load("MOVAPSrm", vector, loadBase, 0, indexed),
           make("PSHUFDri", {vector, vector, immediate(0xe4)}), make("PSHUFDri", {vector, vector, immediate(0xe4)})},
          setup, true);
  run();
  const auto latencyOf = [&](size_t probe, double hops) {
    const auto time = cycles(probe);
    return time ? *time / hops - kExtensions : forwarding;
  };
  const double most = forwarding / 2;
  double latency = 0;
  size_t loads = 0;
  for (const auto &[places, probe] : probes) {
    if (latencyOf(probe, double(places)) > most)
      break;
    latency = loads ? std::min(latency, latencyOf(probe, double(places))) : latencyOf(probe, double(places));
    loads = places;
  }
  if (!loads)
    return;
  double least = 8;
  for (const size_t probe : {four, two, one})
    if (latencyOf(probe, 1) <= most && least > 1)
      least /= 2;
    else
      break;
  rule("predictive-forwarding",
       {{"loads", double(loads)},
        {"latency", std::max(0.0, std::round(latency))},
        {"least-bytes", least},
        {"vector", latencyOf(vectors, 1) <= most ? 1 : 0},
        {"operations", latencyOf(operation, 1) <= most ? 1 : 0}},
       "predicted forwarding", probes.front().second);
}

/// Store and load through one expression. Extensions keep the store's own rate from limiting the chain. `otherStores`:
/// of two expressions, too. Returns whether any base will do, not only the stack pointer.
bool MemoryProbes::measureRenaming(double forwarding, bool otherStores) {
  constexpr double kExtensions = 2;
  struct Case {
    const char *name;
    size_t probe = 0;
  };
  const auto chain = [&](const char *name, const char *to, const char *from, uint8_t base, bool indexed) {
    const MCOperand reg = part(kValue, to, 5);
    return add(name, {store(to, reg, base, -64, indexed), load(from, part(kValue, from, 0), base, -64, indexed),
                      extend(kValue, kValue), extend(kValue, kValue)});
  };
  const size_t anyBase = chain("renaming", "MOV64mr", "MOV64rm", kBase, false);
  const size_t stack = chain("renaming of the stack", "MOV64mr", "MOV64rm", kStackPointer, false);
  const size_t indexed = chain("renaming with an index", "MOV64mr", "MOV64rm", kBase, true);
  const size_t stackIndexed = chain("renaming of the stack with an index", "MOV64mr", "MOV64rm", kStackPointer, true);
  const auto narrowBy = [&](uint8_t base) {
    return std::array<size_t, 3>{chain("renaming of 4 bytes", "MOV32mr", "MOV32rm", base, false),
                                 chain("renaming of 2 bytes", "MOV16mr", "MOV16rm", base, false),
                                 chain("renaming of 1 byte", "MOV8mr", "MOV8rm", base, false)};
  };
  const std::array<size_t, 3> narrowByStack = narrowBy(kStackPointer), narrowByAny = narrowBy(kBase);
  const size_t signs = chain("renaming of what extends the sign", "MOV32mr", "MOVSX64rm32", kStackPointer, false);
  const MCOperand vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  const size_t vectors = add("renaming of vectors", {store("MOVAPSmr", vector, kStackPointer, -64),
                                                     load("MOVAPSrm", vector, kStackPointer, -64)});
  run();
  const auto isRenamed = [&](size_t probe) {
    const auto time = cycles(probe);
    return time && *time - kExtensions < forwarding - 1.5;
  };
  if (!isRenamed(stack))
    return false;
  Values values{{"latency", std::max(0.0, std::round(*cycles(stack) - kExtensions))},
                {"stack-only", isRenamed(anyBase) ? 0 : 1},
                {"index", isRenamed(isRenamed(anyBase) ? indexed : stackIndexed) ? 1 : 0}};
  if (const auto time = cycles(vectors))
    values["vector"] = *time < forwarding - 1.5 ? 1 : 0;
  const auto [four, two, one] = isRenamed(anyBase) ? narrowByAny : narrowByStack;
  values["least-bytes"] = !isRenamed(four) ? 8 : isRenamed(one) ? 1 : isRenamed(two) ? 2 : 4;
  values["words"] = isRenamed(two) || !isRenamed(one) ? 1 : 0;
  values["sign-extending"] = isRenamed(signs) ? 1 : 0;
  values["other-stores"] = otherStores ? 1 : 0;
  values["rip"] = values["index"]; // has no probe: both are addresses of something else than one register
  rule("memory-renaming", values, "renaming of the stack", stack);
  return isRenamed(anyBase);
}

/// Stores to two places in turn leave one after the other; those to one block of memory may leave together.
void MemoryProbes::measureCommit() {
  constexpr size_t kCopies = 24;
  constexpr int64_t kFarthest = 256;
  std::vector<std::pair<int64_t, size_t>> probes; // distance, probe
  for (int64_t distance = 8; distance <= kFarthest; distance *= 2) {
    Insts insts;
    for (size_t copy = 0; copy < kCopies; ++copy)
      insts.push_back(store("MOV64mr", general(kOne), kBase, copy % 2 ? distance : 0));
    probes.emplace_back(distance, add("stores to blocks", std::move(insts)));
  }
  const auto beside = [&](const char *opcode) {
    return add("narrow stores",
               {store(opcode, part(kOne, opcode, 5), kBase), store("MOV64mr", general(kOne), kBase, kFarthest)});
  };
  const size_t eight = beside("MOV64mr"), four = beside("MOV32mr"), two = beside("MOV16mr"), one = beside("MOV8mr");
  const auto pairs = [&](int64_t loaded) {
    Insts insts;
    for (const int64_t place : {0, 8})
      insts.push_back(store("MOV64mr", general(kOne), kBase, place));
    for (const int64_t place : {0, 8})
      insts.push_back(load("MOV64rm", general(static_cast<uint8_t>(kValue + place / 8)), kBase, loaded + place));
    return insts;
  };
  // Three to each of two blocks in turn.
  constexpr size_t kRun = 3, kRuns = 4;
  Insts runs;
  for (size_t copy = 0; copy < kRuns * kRun; ++copy)
    runs.push_back(store("MOV64mr", general(kOne), kBase,
                         static_cast<int64_t>(copy / kRun % 2) * kFarthest + static_cast<int64_t>(copy % kRun) * 8));
  const size_t inRuns = add("stores in runs", std::move(runs));
  const size_t read = add("stores that are read", pairs(0)), notRead = add("stores that are read", pairs(1024));
  run();
  const auto fast = cycles(probes.front().second), slow = cycles(probes.back().second);
  if (!fast || !slow || *slow < *fast * 1.1)
    return;
  const auto first = llvm::find_if(probes, [&](const auto &probe) {
    const auto time = cycles(probe.second);
    return time && *time > (*fast + *slow) / 2;
  });
  Values values{{"per-cycle", roundedRate(kCopies / *slow, 4)}, {"bytes", double(first->first)}};
  if (const auto with = cycles(read), without = cycles(notRead); with && without && *with > *without * 1.25)
    values["alone-if-read"] = 1;
  // At two a time, three take two times of a block; if any number leaves together, as long as stores take to start.
  if (const auto time = cycles(inRuns))
    values["together"] = *time / kRuns > 1.75 * *slow / kCopies ? 2 : 0;
  const auto plain = cycles(eight);
  const auto extra = [&](size_t probe) {
    const auto time = cycles(probe);
    return plain && time ? std::round(*time - *plain) : 0;
  };
  if (extra(one) >= 1) {
    values["narrow-bytes"] = extra(four) >= 1 ? 8 : extra(two) >= 1 ? 4 : 2;
    values["narrow-cycles"] = extra(one);
  }
  rule("store-commit", values, "stores to blocks", probes.back().second);
}

void MemoryProbes::measureSplits() {
  constexpr int64_t kAcross = 60;
  constexpr size_t kCopies = 24;
  const auto loads = [&](int64_t displacement) {
    Insts insts;
    for (unsigned copy = 0; copy < kCopies; ++copy)
      insts.push_back(load("MOV64rm", general(static_cast<uint8_t>(kValue + copy % 3)), kBase, displacement));
    return insts;
  };
  const size_t whole = add("loads", loads(0)), split = add("split loads", loads(kAcross));
  // Whole ones to two blocks in turn, since the halves of one leave one after the other, too.
  Insts inTurn;
  for (size_t copy = 0; copy < kCopies; ++copy)
    llvm::append_range(inTurn,
                       Insts{store("MOV64mr", general(kOne), kBase), store("MOV64mr", general(kOne), kBase, 256)});
  const size_t stores = add("stores", std::move(inTurn));
  const size_t splitStores = add("split stores", Insts(kCopies, store("MOV64mr", general(kOne), kBase, kAcross)));
  run();
  const auto extra = [&](size_t with, size_t without) {
    const auto one = cycles(with), other = cycles(without);
    return one && other ? std::max(0.0, std::round(4 * (*one / *other - 1)) / 4) : 0;
  };
  if (extra(split, whole) + extra(splitStores, stores) == 0)
    return;
  rule("splits", {{"load", extra(split, whole)}, {"store", extra(splitStores, stores)}, {"line", 64}}, "split loads",
       split);
}

/// Loads of one place, and of two places in turn that are ever further apart: of one bank, they are as slow as of one
/// place.
void MemoryProbes::measureBanks() {
  constexpr size_t kCopies = 24;
  constexpr int64_t kFarthest = 4096, kLine = 64;
  const auto loads = [&](auto placeOf) {
    Insts insts;
    for (unsigned copy = 0; copy < kCopies; ++copy)
      insts.push_back(
          load("MOV32rm", part(static_cast<uint8_t>(kValue + copy % 3), "MOV32rm", 0), kBase, placeOf(int64_t{copy})));
    return insts;
  };
  const size_t one = add("loads of one bank", loads([](int64_t) { return int64_t{0}; }));
  const size_t spread = add("loads of all banks", loads([](int64_t copy) { return copy * 8 % kLine; }));
  std::vector<std::pair<int64_t, size_t>> probes; // distance, probe
  for (int64_t distance = 4; distance <= kFarthest; distance *= 2)
    probes.emplace_back(distance,
                        add("loads of banks", loads([&](int64_t copy) { return copy % 2 ? distance : int64_t{0}; })));
  run();
  const auto slow = cycles(one), fast = cycles(spread);
  if (!slow || !fast || *slow < *fast * 1.1)
    return;
  const auto isSlow = [&](size_t probe) {
    const auto time = cycles(probe);
    return time && *time > (*slow + *fast) / 2;
  };
  const auto apart = llvm::find_if(probes, [&](const auto &probe) { return !isSlow(probe.second); });
  const auto again = std::find_if(apart, probes.end(), [&](const auto &probe) { return isSlow(probe.second); });
  if (again == probes.end())
    return;
  rule(
      "load-banks",
      {{"per-cycle", roundedRate(kCopies / *slow, 4)}, {"bytes", double(apart->first)}, {"line", double(again->first)}},
      "loads of one bank", one);
}

} // namespace

void measureMemory(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration) {
  MemoryProbes(maker, timer, slotsPerCycle, calibration).measure();
}

} // namespace mca::measure

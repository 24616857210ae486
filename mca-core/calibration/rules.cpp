// The table. What the rules do is described where they act: mca-core/model/calibrated_body.h.
#include "mca-core/calibration/rules.h"

#include "mca-core/calibration/calibration.h"
#include "mca-core/calibration/calibration_lines.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace mca {
namespace {

using Facts = CalibrationFacts;
using Rules = CalibrationRules;
using Steps = ValueRow::Steps;

constexpr double kMaxCount = 65535;
constexpr double kMaxCycles = 1000;
constexpr double kMaxSlots = 64;

// A number of a file and the member that holds it; `name` chooses from those that hold several.

template <typename T>
std::optional<double> numberIn(const T &member, std::string_view) {
  return static_cast<double>(member);
}
template <typename T>
std::optional<double> numberIn(const std::optional<T> &member, std::string_view) {
  return member ? std::optional(static_cast<double>(*member)) : std::nullopt;
}
template <typename T>
std::optional<double> numberIn(const std::map<std::string, T> &member, std::string_view name) {
  const auto found = member.find(std::string(name));
  return found == member.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
}

template <typename T>
T &placeIn(T &member, std::string_view) {
  return member;
}
template <typename T>
T &placeIn(std::optional<T> &member, std::string_view) {
  return member.emplace();
}
template <typename T>
T &placeIn(std::map<std::string, T> &member, std::string_view name) {
  return member[std::string(name)];
}

template <auto kFact>
auto &memberOf(auto &calibration) {
  return (calibration.facts.*kFact).value;
}
template <auto kRule, auto kMember>
auto &memberOf(auto &calibration) {
  return calibration.rules.*kRule.*kMember;
}

// Rows.

template <auto... kPath>
constexpr ValueRow value(std::string_view name, std::string_view unit, double least, double most,
                         std::string_view meaning, std::string_view missing = "") {
  using Held = std::remove_reference_t<decltype(placeIn(memberOf<kPath...>(std::declval<Calibration &>()), ""))>;
  return {.name = name,
          .unit = unit,
          .least = least,
          .most = most,
          .steps = std::is_same_v<Held, double> ? Steps::Any : Steps::Whole,
          .meaning = meaning,
          .missing = missing,
          .perResource = false,
          .get = [](const Calibration &from, std::string_view key) { return numberIn(memberOf<kPath...>(from), key); },
          .set = [](Calibration &to, std::string_view key,
                    double number) { placeIn(memberOf<kPath...>(to), key) = static_cast<Held>(number); }};
}

template <auto kRule, auto kMember>
constexpr ValueRow flag(std::string_view name, std::string_view meaning) {
  return value<kRule, kMember>(name, "flag", 0, 1, meaning);
}

template <auto kRule, auto kMember>
constexpr ValueRow powerOfTwo(std::string_view name, double least, double most, std::string_view meaning) {
  ValueRow row = value<kRule, kMember>(name, "bytes", least, most, meaning);
  row.steps = Steps::PowersOfTwo;
  return row;
}

template <auto kFact>
constexpr FactRow fact(std::string_view name, std::string_view unit, double least, double most,
                       std::string_view meaning, std::string_view missing = "") {
  return {value<kFact>(name, unit, least, most, meaning, missing),
          [](const Calibration &of) -> const Provenance & { return (of.facts.*kFact).from; },
          [](Calibration &of) -> Provenance & { return (of.facts.*kFact).from; }};
}

template <auto kRule>
constexpr RuleRow rule(std::string_view name, std::string_view meaning, std::span<const ValueRow> values = {}) {
  return {name, meaning, values, [](const Calibration &of) -> const CalibratedRule & { return of.rules.*kRule; },
          [](Calibration &of) -> CalibratedRule & { return of.rules.*kRule; }};
}

template <RenameTreatment kTreatment>
constexpr RuleRow renames(std::string_view name, std::string_view meaning) {
  constexpr auto kIndex = static_cast<size_t>(kTreatment);
  return {name,
          meaning,
          {},
          [](const Calibration &of) -> const CalibratedRule & { return of.rules.renames[kIndex]; },
          [](Calibration &of) -> CalibratedRule & { return of.rules.renames[kIndex]; }};
}

constexpr ValueRow branchFusion(std::string_view operation) {
  return value<&Rules::macroFusion, &MacroFusionRule::conditions>(
      operation, "kind", 0, 3, "1: fuses with all conditions, 2: but sign, parity and overflow, 3: nor carry");
}
constexpr ValueRow moveFusion(std::string_view operation) {
  return flag<&Rules::moveFusion, &MoveFusionRule::operations>(operation, "1: a register move fuses with it");
}

// The tables.

constexpr FactRow kFacts[] = {
    fact<&Facts::slotsPerCycle>("slots-per-cycle", "slots", 0.25, kMaxSlots, "what the front end delivers",
                                "LLVM's issue width"),
    fact<&Facts::vectorSlotsPerCycle>("vector-slots-per-cycle", "slots", 0.25, kMaxSlots,
                                      "of instructions with a vector register", "no limit"),
    fact<&Facts::codeBytesPerCycle>("code-bytes-per-cycle", "bytes", 1, 4096, "of code that is fetched", "no limit"),
    fact<&Facts::takenBranchesPerCycle>("taken-branches-per-cycle", "branches", 0.05, 8, "that are fetched",
                                        "no limit"),
    fact<&Facts::fetchQueue>("fetch-queue", "instructions", 1, 4096, "fetched ahead of renaming"),
    fact<&Facts::redirectPenalty>("redirect-penalty", "cycles", 0, kMaxCycles,
                                  "from a mispredicted branch to the right code", "LLVM's"),
    fact<&Facts::learntPeriod>("learnt-period", "executions", 1, 1 << 20,
                               "of a branch, after which random outcomes may repeat to be predicted",
                               "a predictor of the usual size"),
    fact<&Facts::overridePenalty>("override-penalty", "cycles", 0, 64,
                                  "that fetch loses along a trace at a branch that is predicted right, but not by a "
                                  "two-bit counter, and at each of "
                                  "the next 16 that are taken; likewise after a misprediction"),
    fact<&Facts::targetPenalty>("target-penalty", "cycles", 0, 64,
                                "that fetch loses along a trace at an indirect jump that does not go where its last "
                                "execution went"),
    fact<&Facts::reorderBuffer>("reorder-buffer", "slots", 1, kMaxCount, "between renaming and retirement", "LLVM's"),
    fact<&Facts::scheduler>("scheduler", "instructions", 1, kMaxCount, "that wait for execution", "no limit"),
    fact<&Facts::vectorScheduler>("vector-scheduler", "instructions", 1, kMaxCount, "with a vector register that wait",
                                  "`scheduler` holds all"),
    fact<&Facts::loadQueue>("load-queue", "loads", 1, kMaxCount, "that are not retired", "LLVM's"),
    fact<&Facts::storeQueue>("store-queue", "stores", 1, kMaxCount, "that are not written to the cache",
                             "LLVM's, or `reorder-buffer` if `store-commit` is on"),
    fact<&Facts::retiredPerCycle>("retired-per-cycle", "slots", 1, 64, "that retire", "LLVM's, or no limit"),
    fact<&Facts::loadLatency>("load-latency", "cycles", 1, kMaxCycles, "from an address to an integer register",
                              "LLVM's"),
    fact<&Facts::scaledIndexLatency>("scaled-index-latency", "cycles", 0, kMaxCycles,
                                     "of a load, in addition, if its index is scaled"),
    fact<&Facts::threePartLatency>("three-part-latency", "cycles", 0, kMaxCycles,
                                   "of a load from base, index and displacement, in addition"),
};

constexpr ValueRow kMacroFusion[] = {
    branchFusion("cmp"),
    branchFusion("test"),
    branchFusion("and"),
    branchFusion("or"),
    branchFusion("xor"),
    branchFusion("add"),
    branchFusion("sub"),
    branchFusion("inc"),
    branchFusion("dec"),
    flag<&Rules::macroFusion, &MacroFusionRule::memory>("memory", "1: also with a memory operand"),
    flag<&Rules::macroFusion, &MacroFusionRule::memoryImmediate>("memory-immediate",
                                                                 "1: also with a memory operand and an immediate"),
    flag<&Rules::macroFusion, &MacroFusionRule::rip>("rip", "1: also with an operand relative to the instruction"),
};

constexpr ValueRow kMoveFusion[] = {
    moveFusion("add"), moveFusion("sub"), moveFusion("and"), moveFusion("or"),  moveFusion("xor"), moveFusion("inc"),
    moveFusion("dec"), moveFusion("not"), moveFusion("neg"), moveFusion("shl"), moveFusion("shr"), moveFusion("sar"),
};

constexpr ValueRow kStackEngine[] = {
    value<&Rules::stackEngine, &StackEngineRule::readSlots>(
        "read-slots", "slots", 0, kMaxSlots, "of an instruction that reads the stack pointer after push or pop"),
    value<&Rules::stackEngine, &StackEngineRule::writeSlots>("write-slots", "slots", 0, kMaxSlots,
                                                             "of an instruction that writes it after push or pop"),
    value<&Rules::stackEngine, &StackEngineRule::writeLatency>(
        "write-latency", "cycles", 0, 64, "of the same instruction, in addition, if it also reads it"),
};

constexpr ValueRow kPartialRegisters[] = {
    flag<&Rules::partialRegisters, &PartialRegistersRule::merge>(
        "merge", "0: a write of 8 or 16 bits does not wait for the register's earlier value"),
};

constexpr std::string_view kLoads = "the load's";
constexpr ValueRow kStoreForwarding[] = {
    value<&Rules::storeForwarding, &StoreForwardingRule::general>(
        "general", "cycles", 0, kMaxCycles, "from an integer store's data to the load's value", kLoads),
    value<&Rules::storeForwarding, &StoreForwardingRule::vector>("vector", "cycles", 0, kMaxCycles,
                                                                 "the same for vector registers", kLoads),
    value<&Rules::storeForwarding, &StoreForwardingRule::partial>(
        "partial", "cycles", 0, kMaxCycles, "the same for a load of more than the store wrote", kLoads),
};

constexpr ValueRow kMemoryRenaming[] = {
    value<&Rules::memoryRenaming, &MemoryRenamingRule::latency>("latency", "cycles", 0, kMaxCycles,
                                                                "of a load from the address expression of a store"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::vector>("vector", "1: also of vector registers"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::index>("index", "1: also with an index register"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::rip>("rip", "1: also relative to the instruction"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::stackOnly>(
        "stack-only", "1: only relative to the stack pointer, as AMD's Zen 3 does"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::otherStores>(
        "other-stores", "1: also of a store through another expression, and of the first bytes of a wider one"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::words>("words", "0: not of 2 bytes"),
    flag<&Rules::memoryRenaming, &MemoryRenamingRule::signExtending>("sign-extending",
                                                                     "0: not of loads that extend the sign"),
    value<&Rules::memoryRenaming, &MemoryRenamingRule::leastBytes>("least-bytes", "bytes", 1, 64, "of the load"),
};

constexpr ValueRow kPredictiveForwarding[] = {
    value<&Rules::predictiveForwarding, &PredictiveForwardingRule::loads>(
        "loads", "loads", 0, kMaxCount, "of a loop that closes with a branch have this latency"),
    value<&Rules::predictiveForwarding, &PredictiveForwardingRule::latency>("latency", "cycles", 0, kMaxCycles,
                                                                            "of these loads"),
    value<&Rules::predictiveForwarding, &PredictiveForwardingRule::leastBytes>("least-bytes", "bytes", 1, 64,
                                                                               "of these loads"),
    flag<&Rules::predictiveForwarding, &PredictiveForwardingRule::vector>("vector", "1: also of vector registers"),
    flag<&Rules::predictiveForwarding, &PredictiveForwardingRule::operations>(
        "operations", "1: also of instructions that load and compute, without a store"),
};

constexpr ValueRow kSplits[] = {
    value<&Rules::splits, &SplitsRule::load>("load", "units", 0, 64, "that a load across a line takes in addition"),
    value<&Rules::splits, &SplitsRule::store>("store", "units", 0, 64,
                                              "that a store across a line takes in addition; it also leaves twice"),
    powerOfTwo<&Rules::splits, &SplitsRule::line>("line", 8, 4096, "of a line"),
};

constexpr ValueRow kMicroFusion[] = {
    value<&Rules::microFusion, &MicroFusionRule::indexWithin>(
        "index-within", "instructions", 0, 64,
        "of a cycle, the first ones: an instruction that an index takes apart into two slots is among them; 0: of all"),
    value<&Rules::microFusion, &MicroFusionRule::indexPerCycle>("index-per-cycle", "instructions", 0, 64,
                                                                "taken apart in a cycle; 0: however many there are"),
};

constexpr ValueRow kLoadBanks[] = {
    value<&Rules::loadBanks, &LoadBanksRule::perCycle>("per-cycle", "loads", 0.25, 8, "from one bank"),
    powerOfTwo<&Rules::loadBanks, &LoadBanksRule::bytes>("bytes", 4, 64, "of a bank"),
    powerOfTwo<&Rules::loadBanks, &LoadBanksRule::line>("line", 16, 4096,
                                                        "of all banks: what is so far apart is in one"),
};

constexpr ValueRow kStoreCommit[] = {
    value<&Rules::storeCommit, &StoreCommitRule::perCycle>(
        "per-cycle", "stores", 0.01, 64,
        "that leave, of a scatter each element; one to the block of memory of the store before it leaves with that"),
    powerOfTwo<&Rules::storeCommit, &StoreCommitRule::bytes>("bytes", 1, 4096, "of such a block"),
    value<&Rules::storeCommit, &StoreCommitRule::together>(
        "together", "stores", 0, 8, "of one block that leave at a time; 0: however many there are"),
    flag<&Rules::storeCommit, &StoreCommitRule::aloneIfRead>(
        "alone-if-read", "1: a store that a load of the region reads does not leave with another one"),
    value<&Rules::storeCommit, &StoreCommitRule::narrowBytes>(
        "narrow-bytes", "bytes", 0, 64, "stores of fewer bytes cost more, if they do not leave with another one"),
    value<&Rules::storeCommit, &StoreCommitRule::narrowCycles>("narrow-cycles", "cycles", 0, 100,
                                                               "of all of them in an iteration, in addition"),
};

constexpr ValueRow kDependentIssue[] = {[] {
  ValueRow row = value<&Rules::dependentIssue, &DependentIssueRule::units>("RESOURCE", "units", 0, 64,
                                                                           "of this resource in addition");
  row.perResource = true;
  return row;
}()};

constexpr ValueRow kPortBinding[] = {[] {
  ValueRow row = value<&Rules::portBinding, &PortBindingRule::units>(
      "RESOURCE", "units", 1, 4, "of this resource are ports; where equally few wait, they are chosen in turn");
  row.perResource = true;
  return row;
}()};

constexpr ValueRow kStorePairs[] = {[] {
  ValueRow row = value<&Rules::storePairs, &StorePairsRule::units>("RESOURCE", "units", 0, 64,
                                                                   "of this resource, which the second one takes");
  row.perResource = true;
  return row;
}()};

constexpr ValueRow kFloatAddBypass[] = {
    value<&Rules::floatAddBypass, &FloatAddBypassRule::otherCycles>(
        "other-cycles", "cycles", 0, 16, "of an addition that waits for an instruction of another kind, in addition"),
};

constexpr ValueRow kSmallLoops[] = {
    value<&Rules::smallLoops, &SmallLoopsRule::lostSlots>("lost-slots", "slots", 0, kMaxSlots,
                                                          "that a taken branch wastes"),
    value<&Rules::smallLoops, &SmallLoopsRule::leastCycles>("least-cycles", "cycles", 0, kMaxCycles, "of an iteration"),
    flag<&Rules::smallLoops, &SmallLoopsRule::wholeCycles>("whole-cycles",
                                                           "1: nothing is renamed after a taken branch in its cycle"),
    value<&Rules::smallLoops, &SmallLoopsRule::fetchOps>("fetch-ops", "instructions", 0, 64,
                                                         "fetched at once, of one line of 64 bytes; 0: no such limit"),
    value<&Rules::smallLoops, &SmallLoopsRule::furtherCycles>(
        "further-cycles", "cycles", 1, 16, "that each fetch from a line takes after the first, which takes one"),
};

constexpr RuleRow kRules[] = {
    renames<RenameTreatment::Zero>("zero-idioms", "rows with `rename=zero` execute nothing"),
    renames<RenameTreatment::BreaksDependency>("dependency-breaking",
                                               "rows with `rename=breaks-dependency` do not wait for their sources"),
    renames<RenameTreatment::Eliminated>("move-elimination", "rows with `rename=eliminated` execute nothing"),
    renames<RenameTreatment::Immediate>("immediate-adds", "rows with `rename=immediate` execute nothing"),
    rule<&Rules::macroFusion>("macro-fusion", "an instruction and the conditional branch after it are one",
                              kMacroFusion),
    rule<&Rules::microFusion>("micro-fusion", "a load and the operation on its value take one slot", kMicroFusion),
    rule<&Rules::moveFusion>("move-fusion", "a register move and the operation on its result after it are one",
                             kMoveFusion),
    rule<&Rules::stackEngine>("stack-engine", "push and pop change the stack pointer for nothing", kStackEngine),
    rule<&Rules::separateCarry>("separate-carry", "the carry flag is apart from the other flags"),
    rule<&Rules::portBinding>("port-binding",
                              "renaming chooses the port of each micro-op: the one that the fewest wait for. In a "
                              "profile, of LLVM's resources",
                              kPortBinding),
    rule<&Rules::partialRegisters>("partial-registers", "how writes of 8 and 16 bits are merged", kPartialRegisters),
    rule<&Rules::storeForwarding>("store-forwarding", "loads take their value from a store that has not left",
                                  kStoreForwarding),
    rule<&Rules::memoryRenaming>(
        "memory-renaming", "loads of what was stored through the same expression need no memory", kMemoryRenaming),
    rule<&Rules::predictiveForwarding>("predictive-forwarding", "loads of a loop that are found to follow a store",
                                       kPredictiveForwarding),
    rule<&Rules::splits>("splits", "accesses that cross a line", kSplits),
    rule<&Rules::loadBanks>("load-banks", "loads from one bank of the cache wait for each other", kLoadBanks),
    rule<&Rules::storeCommit>("store-commit", "stores are written to the cache in order", kStoreCommit),
    rule<&Rules::storePairs>("store-pairs", "two stores of vectors, one right after the other, take of other resources",
                             kStorePairs),
    rule<&Rules::dependentIssue>("dependent-issue", "instructions that wait for an operand take more of a resource",
                                 kDependentIssue),
    rule<&Rules::floatAddBypass>("float-add-bypass", "additions of floats get the result of another one earlier",
                                 kFloatAddBypass),
    rule<&Rules::smallLoops>("small-loops", "what iterations of a short loop cost", kSmallLoops),
};

} // namespace

std::string ValueRow::refusalOf(double value) const {
  if (!(value >= least && value <= most)) // a comparison with NaN is false
    return "is not within " + calibration::textOf(least) + " to " + calibration::textOf(most);
  if (steps != Steps::Any && value != std::floor(value))
    return "is no whole number";
  if (steps == Steps::PowersOfTwo && !std::has_single_bit(static_cast<uint32_t>(value)))
    return "is no power of two";
  return "";
}

std::span<const FactRow> factTable() {
  return kFacts;
}
std::span<const RuleRow> ruleTable() {
  return kRules;
}

const FactRow *findFact(std::string_view name) {
  const auto *const found = std::ranges::find_if(kFacts, [&](const FactRow &row) { return row.value.name == name; });
  return found == std::end(kFacts) ? nullptr : found;
}

const RuleRow *findRule(std::string_view name) {
  const auto *const found = std::ranges::find(kRules, name, &RuleRow::name);
  return found == std::end(kRules) ? nullptr : found;
}

const ValueRow *findValue(const RuleRow &rule, std::string_view name, bool isResource) {
  const auto found = std::ranges::find_if(
      rule.values, [&](const ValueRow &row) { return row.perResource ? isResource : row.name == name; });
  return found == rule.values.end() ? nullptr : &*found;
}

bool setFact(Calibration &calibration, std::string_view name, double value, const Provenance &from) {
  const FactRow *const row = findFact(name);
  assert(row);
  if (!row->value.accepts(value))
    return false;
  row->value.set(calibration, name, value);
  row->editFrom(calibration) = from;
  return true;
}

bool switchOn(Calibration &calibration, std::string_view name, const std::map<std::string, double> &values,
              const Provenance &from) {
  const RuleRow *const row = findRule(name);
  assert(row);
  const auto valueOf = [&](std::string_view key) {
    const bool isResource =
        std::ranges::any_of(calibration.resources, [&](const auto &one) { return one.name == key; });
    const ValueRow *const value = findValue(*row, key, isResource);
    assert(value);
    return value;
  };
  for (const auto &[key, value] : values)
    if (!valueOf(key)->accepts(value))
      return false;
  for (const auto &[key, value] : values)
    valueOf(key)->set(calibration, key, value);
  row->edit(calibration).isOn = true;
  row->edit(calibration).from = from;
  return true;
}

} // namespace mca

// The facts and rules of the calibrated machine, and the one table of their values.
//
// A member is what the machine computes with, and its initialiser is what holds if the file says nothing. The table
// says what a file calls it, its unit, its range and what it means. Reading and writing files, the probes and
// docs/calibration-file.md use the table, so no value is in a calibration that the machine would change: one out of its
// range is an error of the file, and a probe's is left out. Any other name is an error, too, because a misspelt one
// would silently change nothing. docs/how-to/add-a-rule.md adds one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

struct Calibration;

/// Where a value comes from.
struct Provenance {
  std::string probe;   ///< the name of the probe; of a documented profile, of the source
  double spread = 0;   ///< (largest − smallest) / smallest of the passes that agreed
  uint32_t passes = 0; ///< how many agreed
  bool operator==(const Provenance &) const = default;
};

/// A number that describes the whole machine; one that is missing is LLVM's, or there is no such limit.
template <typename T>
struct CalibratedFact {
  T value{};
  Provenance from;
  bool operator==(const CalibratedFact &) const = default;
};

struct CalibrationFacts {
  CalibratedFact<std::optional<double>> slotsPerCycle, vectorSlotsPerCycle, codeBytesPerCycle, takenBranchesPerCycle;
  CalibratedFact<uint32_t> fetchQueue{64, {}};
  CalibratedFact<std::optional<uint32_t>> redirectPenalty, learntPeriod;
  CalibratedFact<uint32_t> overridePenalty, targetPenalty;
  CalibratedFact<std::optional<uint32_t>> reorderBuffer, scheduler, vectorScheduler, loadQueue, storeQueue;
  CalibratedFact<std::optional<uint32_t>> retiredPerCycle, loadLatency;
  CalibratedFact<uint32_t> scaledIndexLatency, threePartLatency;
  bool operator==(const CalibrationFacts &) const = default;
};

/// What the front end does with a form instead of executing it.
enum class RenameTreatment : uint8_t {
  None,
  Zero,             ///< a zero idiom: needs a slot, executes nothing, depends on nothing
  BreaksDependency, ///< executes, but does not wait for its sources
  Eliminated,       ///< a move: needs a slot, executes nothing, its result is its source
  Immediate         ///< an addition of a small constant that renaming does
};
constexpr size_t kRenameTreatments = 5;

/// Something that the machine does. A rule that is off has the values of its initialisers.
struct CalibratedRule {
  bool isOn = false;
  Provenance from;
  bool operator==(const CalibratedRule &) const = default;
};

struct MacroFusionRule : CalibratedRule {
  std::map<std::string, uint32_t> conditions; ///< by operation, such as cmp: 0 to 3, see instruction_fusion.cpp
  bool memory = false, memoryImmediate = false, rip = false;
  bool operator==(const MacroFusionRule &) const = default;
};
struct MicroFusionRule : CalibratedRule {
  uint32_t indexWithin = 0, indexPerCycle = 0;
  bool operator==(const MicroFusionRule &) const = default;
};
struct MoveFusionRule : CalibratedRule {
  std::map<std::string, bool> operations; ///< such as add
  bool operator==(const MoveFusionRule &) const = default;
};
struct StackEngineRule : CalibratedRule {
  double readSlots = 0, writeSlots = 0;
  uint32_t writeLatency = 0;
  bool operator==(const StackEngineRule &) const = default;
};
struct PartialRegistersRule : CalibratedRule {
  bool merge = true;
  bool operator==(const PartialRegistersRule &) const = default;
};
struct StoreForwardingRule : CalibratedRule {
  std::optional<uint32_t> general, vector, partial;
  bool operator==(const StoreForwardingRule &) const = default;
};
struct MemoryRenamingRule : CalibratedRule {
  uint32_t latency = 0;
  bool vector = false, index = true, rip = true, stackOnly = false;
  bool otherStores = false, words = true, signExtending = true;
  uint32_t leastBytes = 4;
  bool operator==(const MemoryRenamingRule &) const = default;
};
struct PredictiveForwardingRule : CalibratedRule {
  uint32_t loads = 0, latency = 0, leastBytes = 1;
  bool vector = true, operations = true;
  bool operator==(const PredictiveForwardingRule &) const = default;
};
struct SplitsRule : CalibratedRule {
  double load = 1, store = 1;
  uint32_t line = 64;
  bool operator==(const SplitsRule &) const = default;
};
struct LoadBanksRule : CalibratedRule {
  double perCycle = 2;
  uint32_t bytes = 4, line = 64;
  bool operator==(const LoadBanksRule &) const = default;
};
struct StoreCommitRule : CalibratedRule {
  double perCycle = 1;
  uint32_t bytes = 64;
  uint32_t together = 0;
  bool aloneIfRead = false;
  uint32_t narrowBytes = 0;
  double narrowCycles = 0;
  bool operator==(const StoreCommitRule &) const = default;
};
struct DependentIssueRule : CalibratedRule {
  std::map<std::string, double> units; ///< by resource
  bool operator==(const DependentIssueRule &) const = default;
};
struct PortBindingRule : CalibratedRule {
  std::map<std::string, double> units; ///< by resource
  bool operator==(const PortBindingRule &) const = default;
};
struct StorePairsRule : CalibratedRule {
  std::map<std::string, double> units; ///< by resource
  bool operator==(const StorePairsRule &) const = default;
};
struct FloatAddBypassRule : CalibratedRule {
  uint32_t otherCycles = 0;
  bool operator==(const FloatAddBypassRule &) const = default;
};
struct SmallLoopsRule : CalibratedRule {
  double lostSlots = 0;
  uint32_t leastCycles = 0;
  bool wholeCycles = false;
  uint32_t fetchOps = 0;
  uint32_t furtherCycles = 1;
  bool operator==(const SmallLoopsRule &) const = default;
};

struct CalibrationRules {
  /// By RenameTreatment: whether rows with this treatment count; None has no rule.
  std::array<CalibratedRule, kRenameTreatments> renames;
  MacroFusionRule macroFusion;
  MicroFusionRule microFusion;
  MoveFusionRule moveFusion;
  StackEngineRule stackEngine;
  CalibratedRule separateCarry;
  PortBindingRule portBinding;
  PartialRegistersRule partialRegisters;
  StoreForwardingRule storeForwarding;
  MemoryRenamingRule memoryRenaming;
  PredictiveForwardingRule predictiveForwarding;
  SplitsRule splits;
  LoadBanksRule loadBanks;
  StoreCommitRule storeCommit;
  StorePairsRule storePairs;
  DependentIssueRule dependentIssue;
  FloatAddBypassRule floatAddBypass;
  SmallLoopsRule smallLoops;
  bool operator==(const CalibrationRules &) const = default;
};

/// A value as a file has it: of a fact or of a rule.
struct ValueRow {
  enum class Steps : uint8_t { Any, Whole, PowersOfTwo };

  std::string_view name;
  std::string_view unit; ///< such as cycles
  double least, most;    ///< inclusive
  Steps steps;
  std::string_view meaning;
  std::string_view missing; ///< what holds without it, in words; empty: the member's initialiser
  bool perResource;         ///< the file has one for each resource, called by the resource's name
  /// What the member holds; nothing if it is missing. `name`: the name in the file, since a member may hold several.
  std::optional<double> (*get)(const Calibration &calibration, std::string_view name);
  /// Requires accepts(value).
  void (*set)(Calibration &calibration, std::string_view name, double value);

  /// What is wrong with a value, such as "is not within 0 to 64"; empty if nothing is.
  std::string refusalOf(double value) const;
  bool accepts(double value) const { return refusalOf(value).empty(); }
};

struct FactRow {
  ValueRow value;
  const Provenance &(*from)(const Calibration &calibration);
  Provenance &(*editFrom)(Calibration &calibration);
};

struct RuleRow {
  std::string_view name;
  std::string_view meaning;
  std::span<const ValueRow> values;
  const CalibratedRule &(*rule)(const Calibration &calibration);
  CalibratedRule &(*edit)(Calibration &calibration);
};

/// In the order of files and of the page.
std::span<const FactRow> factTable();
std::span<const RuleRow> ruleTable();

/// Null if there is no such name.
const FactRow *findFact(std::string_view name);
const RuleRow *findRule(std::string_view name);
/// `isResource`: whether the calibration has a resource of this name.
const ValueRow *findValue(const RuleRow &rule, std::string_view name, bool isResource = false);

/// Sets a fact. Returns false, and changes nothing, if the value is out of its range. The fact has to exist.
bool setFact(Calibration &calibration, std::string_view name, double value, const Provenance &from);
/// Switches a rule on, with these values by their names. Returns false, and changes nothing, if one is out of its
/// range. All of them have to exist.
bool switchOn(Calibration &calibration, std::string_view name, const std::map<std::string, double> &values,
              const Provenance &from);

} // namespace mca

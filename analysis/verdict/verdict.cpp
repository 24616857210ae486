#include "analysis/verdict/verdict.h"

#include "analysis/verdict/details.h"
#include "analysis/verdict/resource_names.h"
#include "analysis/wire/finding_codes.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>

namespace analysis {
namespace {

constexpr double kNearlyAll = 0.9;
constexpr double kMostly = 0.5;
constexpr double kNoticeable = 0.1; ///< of the busiest user of a resource; of what an instruction uses most
constexpr uint32_t kMinIterations = 10;
constexpr size_t kNamedUnits = 3;
constexpr size_t kNamedRegisters = 3;
constexpr size_t kMaxWitnesses = 5;

/// "4.0 of 4.1 cycles per iteration", "14.0 of 14.1 cycles per 2 iterations (7.04 each)": the number that a hint shows
/// is among them. Units may be held beyond the last cycle.
std::string cyclesOf(double busy, double cycles, uint32_t sourceIterations) {
  return mca::formatRounded(std::min(busy, cycles), 1) + " of " + mca::formatRounded(cycles, 1) + " cycles " +
         perIterations(sourceIterations) +
         (sourceIterations > 1 ? " (" + mca::formatRounded(cycles / sourceIterations, 2) + " each)" : "");
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

/// Names of busy units: in a sentence, and as they are in the model.
struct UnitNames {
  std::vector<std::string> words, plain;
};

/// Where all units of a resource are busy, the resource stands for them.
UnitNames namesOf(const mca::ResourcePressure &pressure, const std::vector<size_t> &busy) {
  llvm::MapVector<uint32_t, std::vector<size_t>> byResource;
  for (const size_t unit : busy)
    byResource[pressure.units[unit].resource].push_back(unit);
  UnitNames names;
  const auto add = [&](const std::string &before, const std::string &name) {
    names.words.push_back(before + name);
    names.plain.push_back(name);
  };
  for (const auto &[resource, units] : byResource) {
    const mca::ResourceUnit &first = pressure.units[units.front()];
    if (units.size() > 1 && units.size() == first.unitsOfResource)
      add((units.size() == 2 ? "both" : "all " + std::to_string(units.size())) + " units of ", first.name);
    else
      for (const size_t unit : units)
        add("", unitName(pressure.units[unit]));
  }
  return names;
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

llvm::StringRef mnemonicOf(const mca::InstructionInfo &instruction) {
  return llvm::StringRef(instruction.text).take_until([](char c) { return c == '\t' || c == ' '; });
}

/// "4 vpshufd", or "6 instructions" where no mnemonic makes up half of the use.
std::string wordsFor(const mca::Report &report, const std::vector<UnitUser> &users) {
  double all = 0;
  llvm::MapVector<llvm::StringRef, std::pair<size_t, double>> byMnemonic;
  for (const UnitUser &user : users) {
    auto &[count, cycles] = byMnemonic[mnemonicOf(report.instructions[user.instruction])];
    ++count;
    cycles += user.cycles;
    all += user.cycles;
  }
  for (const auto &[mnemonic, use] : byMnemonic)
    if (use.second >= all / 2 && !mnemonic.empty()) {
      const size_t others = users.size() - use.first;
      return std::to_string(use.first) + " " + mnemonic.str() +
             (others ? " and " + std::to_string(others) + (others == 1 ? " other" : " others") : "");
    }
  return std::to_string(users.size()) + (users.size() == 1 ? " instruction" : " instructions");
}

/// "A for 0.50 and B for 0.25 cycles": how long an instruction keeps which of the units busy, the longest first, where
/// that is noticeable.
std::string usesInWords(const mca::ResourcePressure &pressure, uint32_t instruction, std::vector<size_t> units) {
  const auto useOf = [&](size_t unit) { return pressure.at(instruction, unit); };
  llvm::stable_sort(units, [&](size_t a, size_t b) { return useOf(a) > useOf(b); });
  const double most = useOf(units.front());
  llvm::erase_if(units, [&](size_t unit) { return useOf(unit) < kNoticeable * most; });
  const size_t more = units.size() > kNamedUnits ? units.size() - kNamedUnits : 0;
  units.resize(units.size() - more);
  std::vector<std::string> uses;
  for (const size_t unit : units)
    uses.push_back(unitName(pressure.units[unit]) + " for " + mca::formatRounded(useOf(unit), 2));
  return listOf(uses, kNamedUnits) + " cycles" +
         (more ? ", and " + std::to_string(more) + (more == 1 ? " more unit" : " more units") : "");
}

Verdict resourceVerdict(const Evidence &evidence, double cycles) {
  const mca::Report &report = evidence.report;
  const mca::ResourcePressure &pressure = report.pressure;
  const std::vector<size_t> busy = busyUnits(pressure, cycles);
  if (busy.empty())
    return {};
  const std::vector<UnitUser> users = usersOf(report, busy);
  const UnitNames names = namesOf(pressure, busy);
  Verdict verdict{.kind = Verdict::Kind::Resource, .limit = shortResourceNames(names.plain)};
  verdict.sentence = "limited by " + listOf(names.words, kNamedUnits) + ": " + wordsFor(report, users) +
                     (users.size() == 1 ? " keeps " : " keep ") + (busy.size() == 1 ? "it" : "them") + " busy in " +
                     cyclesOf(pressure.perIteration[busy.front()], cycles, evidence.sourceIterations);
  for (size_t i = 0; i < std::min(users.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back({users[i].instruction, usesInWords(pressure, users[i].instruction, busy)});
  return verdict;
}

// ---- dispatch ------------------------------------------------------------------------------------------------------

Verdict dispatchVerdict(const Evidence &evidence, double cycles) {
  const mca::Summary &summary = evidence.report.summary;
  if (!summary.dispatchWidth || !summary.iterations)
    return {};
  const double microOps = double(summary.microOps) / summary.iterations;
  if (microOps / summary.dispatchWidth < kNearlyAll * cycles)
    return {};
  return {.kind = Verdict::Kind::Dispatch,
          .limit = "dispatch",
          .sentence = "limited by dispatch: " + mca::formatRounded(microOps, 1) + " micro-ops, at most " +
                      std::to_string(summary.dispatchWidth) + " per cycle, take " +
                      cyclesOf(microOps / summary.dispatchWidth, cycles, evidence.sourceIterations),
          .witnesses = {}};
}

// ---- registers -----------------------------------------------------------------------------------------------------

/// The registers that carry the chain from an iteration to a later one.
std::vector<std::string> carriersOf(const mca::DataflowLimit &limit) {
  std::vector<std::string> names;
  for (const mca::DataLink &link : limit.chain)
    if (const std::string name = registerInWords(link.name); link.iterations && !llvm::is_contained(names, name))
      names.push_back(name);
  return names;
}

/// "for the next iteration", "8 iterations later": of the source's loop, where it is known how many the code does at
/// once.
std::string laterInWords(uint32_t iterations, uint32_t sourceIterations) {
  const uint32_t several = std::max(sourceIterations, 1u);
  if (iterations > 1)
    return std::to_string(iterations * several) + " iterations later";
  return several > 1 ? "for the next " + std::to_string(several) + " iterations" : "for the next iteration";
}

std::string linkInWords(const mca::DataLink &link, uint32_t sourceIterations) {
  return registerInWords(link.name) + " after " + std::to_string(link.cycles) +
         (link.cycles == 1 ? " cycle" : " cycles") +
         (link.iterations == 0 ? "" : ", " + laterInWords(link.iterations, sourceIterations));
}

Verdict registerVerdict(const Evidence &evidence, double cycles) {
  const mca::DataflowLimit &limit = *evidence.limit;
  if (limit.cyclesPerIteration < kNearlyAll * cycles || limit.chain.empty())
    return {};
  Verdict verdict{.kind = Verdict::Kind::Registers, .limit = "dep"};
  verdict.sentence = "limited by a loop-carried chain through " + listOf(carriersOf(limit), kNamedRegisters) + ": " +
                     cyclesOf(limit.cyclesPerIteration, cycles, evidence.sourceIterations);
  const size_t named = std::min(limit.chain.size(), kMaxWitnesses);
  for (size_t i = 0; i < named; ++i)
    verdict.witnesses.push_back({limit.chain[i].from, linkInWords(limit.chain[i], evidence.sourceIterations)});
  if (named < limit.chain.size())
    verdict.witnesses.back().message += ", and " + std::to_string(limit.chain.size() - named) + " more";
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
  const mca::InstructionInfo &waiting = evidence.report.instructions[longest.instruction];
  return {.kind = Verdict::Kind::Memory,
          .limit = "mem",
          .sentence = "limited by memory order: " + mnemonicOf(waiting).str() + " waits " +
                      phraseOf(*longest.reason, evidence.report) + " in " +
                      cyclesOf(waited, cycles, evidence.sourceIterations),
          .witnesses = {{longest.instruction, "waits for memory order"}, {longest.reason->by, "must come first"}}};
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

struct StallWords {
  std::string limit;
  const char *what;
};

StallWords wordsFor(const mca::WaitReason &reason) {
  switch (reason.kind) {
  case mca::WaitKind::Register:
    return {"dep", "register dependencies"};
  case mca::WaitKind::Resource: {
    llvm::SmallVector<llvm::StringRef, 4> units;
    llvm::StringRef(reason.what).split(units, ", ");
    return {shortResourceName(units.front().str()), "busy units"};
  }
  case mca::WaitKind::Memory:
    return {"mem", "memory order"};
  case mca::WaitKind::WriteBack:
    return {"order", "the order in which results are written"};
  default:
    return {"rule", "rules of the target"};
  }
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
    return {.kind = Verdict::Kind::Dispatch,
            .limit = "dispatch",
            .sentence = "limited by the issue width: nothing waits in " +
                        cyclesOf(inRate(issuing), cycles, evidence.sourceIterations) + ", " +
                        mca::formatRounded(double(summary.microOps) / summary.iterations, 1) + " micro-ops at " +
                        std::to_string(summary.dispatchWidth) + " per cycle",
            .witnesses = {}};
  if (double(most->cycles) < kMostly * double(summary.cycles))
    return {};
  const Stalls::Place &longest = most->places.front();
  const StallWords words = wordsFor(*longest.reason);
  Verdict verdict{.kind = Verdict::Kind::Stall, .limit = words.limit};
  verdict.sentence = std::string("limited by ") + words.what + ": instructions wait in " +
                     cyclesOf(inRate(most->cycles), cycles, evidence.sourceIterations) + ", longest " +
                     mnemonicOf(evidence.report.instructions[longest.instruction]).str() + " " +
                     phraseOf(*longest.reason, evidence.report);
  for (size_t i = 0; i < std::min(most->places.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back(
        {most->places[i].instruction, "waits " + mca::formatRounded(inRate(most->places[i].reason->cycles), 1) +
                                          " cycles " + phraseOf(*most->places[i].reason, evidence.report)});
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

const char *codeOf(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Resource:
    return wire::codes::kResourceBottleneck;
  case Verdict::Kind::Dispatch:
    return wire::codes::kDispatchLimit;
  case Verdict::Kind::Registers:
    return wire::codes::kRegisterDependency;
  case Verdict::Kind::Memory:
    return wire::codes::kMemoryDependency;
  case Verdict::Kind::Stall:
    return wire::codes::kInOrderStall;
  case Verdict::Kind::None:
    break;
  }
  return "";
}

std::string perIterations(uint32_t sourceIterations) {
  if (sourceIterations == 0)
    return "per iteration of the machine code";
  return sourceIterations == 1 ? "per iteration" : "per " + std::to_string(sourceIterations) + " iterations";
}

std::string unitName(const mca::ResourceUnit &unit) {
  return unit.unitsOfResource > 1 ? unit.name + "." + std::to_string(unit.unit) : unit.name;
}

} // namespace analysis

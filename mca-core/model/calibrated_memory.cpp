// The rules are those of calibration/rules.h; each has a function here.
#include "mca-core/model/calibrated_memory.h"

#include "mca-core/model/known_addresses.h"
#include "mca-core/target/errata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace mca {
namespace {

using llvm::MCRegister;
using llvm::StringRef;

/// The memory of one region.
class RegionMemory {
public:
  RegionMemory(const Target &target, const CalibrationRules &rules, const MemoryBytes &sizes,
               const LoweredRegion &region, const CalibratedRegion &how, CalibratedBody &body)
      : target_(target), rules_(rules), sizes_(sizes), region_(region), how_(how), body_(body) {}

  void addKnown() {
    std::vector<KnownAccess> accesses;
    for (uint32_t i = 0; i < region_.sources.size(); ++i) {
      const CalibratedInstruction &instruction = body_.instructions[i];
      if (!instruction.mayLoad && !instruction.mayStore)
        continue;
      if (const std::optional<MemoryAccess> access = memoryAccessOf(instAt(i), target_, sizes_)) {
        // push and pop of memory have two places; the other one is the stack's.
        const int64_t moved =
            access->isStack ? 0 : stackChangeOf(target_.instructions().getName(instAt(i).getOpcode()));
        accesses.push_back({i, *access, instruction.mayLoad && moved <= 0, instruction.mayStore && moved >= 0});
      }
    }
    const KnownMemory known = findKnownMemory(target_, region_.sources, accesses,
                                              {.lineBytes = rules_.splits.line,
                                               .blockBytes = rules_.storeCommit.bytes,
                                               .offsets = how_.entryOffsets,
                                               .unaligned = how_.unaligned});
    addForwards(known, accesses);
    if (rules_.splits.isOn)
      for (const SplitShare &split : known.splits) {
        addSplit(split.share, body_.instructions[accesses[split.access].instruction]);
        body_.dependsOnAlignment |= split.share != split.shareFurther;
      }
    if (rules_.loadBanks.isOn)
      addBanks(known, accesses);
    if (rules_.storeCommit.isOn)
      addCommits(known, accesses);
    if (rules_.storePairs.isOn)
      addStorePairs();
  }

  /// A load that a text says reads an earlier store, where the addresses do not show it. Of several stores, the last.
  void addStated() {
    const std::vector<std::vector<uint32_t>> &storesBefore = how_.storesBefore;
    const auto count = static_cast<uint32_t>(body_.instructions.size());
    for (uint32_t load = 0; load < storesBefore.size(); ++load) {
      CalibratedInstruction &instruction = body_.instructions[load];
      if (storesBefore[load].empty() || instruction.forward != kNone)
        continue;
      const uint32_t earlier = *llvm::min_element(storesBefore[load]);
      const uint32_t distance = earlier <= load ? 0 : llvm::divideCeil(earlier - load, count);
      const std::optional<uint32_t> general = rules_.storeForwarding.general;
      instruction.forward = static_cast<uint32_t>(body_.forwards.size());
      body_.forwards.push_back({.store = (load + distance * count - earlier) % count,
                                .distance = distance,
                                .latency = general ? static_cast<int32_t>(*general) : instruction.loadLatency,
                                .isOneAddress = true});
    }
  }

private:
  const llvm::MCInst &instAt(uint32_t number) const { return region_.sources[number]->inst; }
  bool usesVectors(uint32_t number) const { return body_.instructions[number].slotKind == SlotKind::Vector; }

  /// A load takes a unit of each bank that it reads. One that moves on by less than a line uses all of them in turn,
  /// and the loads of the iterations around it find others.
  void addBanks(const KnownMemory &known, std::span<const KnownAccess> accesses) {
    const LoadBanksRule &rule = rules_.loadBanks;
    const auto line = static_cast<int64_t>(std::max(rule.line, rule.bytes)), bytes = static_cast<int64_t>(rule.bytes);
    std::map<std::tuple<uint32_t, int64_t, int64_t>, uint16_t> banks; // by index, scale and number
    for (size_t i = 0; i < accesses.size(); ++i) {
      if (!accesses[i].loads || !known.places[i] || known.places[i]->step % line)
        continue;
      const KnownPlace &where = *known.places[i];
      const int64_t begin = where.offset & (line - 1);
      const int64_t end = begin + std::min<int64_t>(accesses[i].access.bytes, line);
      std::vector<CalibratedUse> uses;
      for (int64_t place = begin & -bytes; place < end; place += bytes) {
        const int64_t number = place % line / bytes;
        const auto [bank, isNew] =
            banks.try_emplace({where.index, where.scale, number}, static_cast<uint16_t>(body_.resources.size()));
        if (isNew)
          body_.resources.push_back({"load bank " + std::to_string(number), ticksOf(rule.perCycle), 0, false});
        uses.push_back({bank->second, kTicksPerUnit});
      }
      appendUses(uses, body_.instructions[accesses[i].instruction].loadUses);
    }
  }

  void appendUses(std::span<const CalibratedUse> added, Range &range) {
    const auto known = CalibratedBody::slice(body_.uses, range);
    std::vector<CalibratedUse> all(known.begin(), known.end());
    all.insert(all.end(), added.begin(), added.end());
    range = {static_cast<uint32_t>(body_.uses.size()), static_cast<uint32_t>(all.size())};
    body_.uses.insert(body_.uses.end(), all.begin(), all.end());
  }

  /// Of each two stores of vectors in a row the second takes more. In a loop the row may go on with the next iteration.
  void addStorePairs() {
    std::vector<CalibratedUse> taken;
    for (const auto &[name, units] : rules_.storePairs.units)
      if (const auto found = llvm::find_if(body_.resources, [&](const auto &one) { return one.name == name; });
          found != body_.resources.end())
        taken.push_back({static_cast<uint16_t>(found - body_.resources.begin()), ticksOf(units)});
    const auto count = static_cast<uint32_t>(body_.instructions.size());
    const auto isStore = [&](uint32_t i) { return body_.instructions[i].mayStore && usesVectors(i); };
    bool isOpen = false; // a store has no other one yet
    for (uint32_t i = 0; i < count && !how_.isTrace; ++i)
      isOpen = isStore(i) && !isOpen;
    for (uint32_t i = 0; i < count; ++i) {
      const bool isSecond = isStore(i) && isOpen;
      if (isSecond)
        appendUses(taken, body_.instructions[i].storeUses);
      isOpen = isStore(i) && !isSecond;
    }
  }

  /// How long each store takes to leave, in order.
  void addCommits(const KnownMemory &known, std::span<const KnownAccess> accesses) {
    const StoreCommitRule &commit = rules_.storeCommit;
    // Of each access the parts that leave on their own, in the mean of the iterations.
    std::vector<double> parts(accesses.size());
    for (size_t i = 0; i < accesses.size(); ++i)
      parts[i] = 1 - known.sameBlocks[i];
    if (commit.aloneIfRead)
      for (const MemoryLink &link : known.links)
        parts[link.store] = 1;
    for (const SplitShare &split : known.splits)
      parts[split.access] += split.share;
    if (commit.together)
      countTogether(accesses, parts);
    uint32_t narrowTicks = ticksOf(commit.narrowCycles);
    for (size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].stores) {
        const uint32_t number = accesses[i].instruction;
        uint32_t &ticks = body_.instructions[number].commitTicks;
        // A scatter writes its elements one after the other.
        const uint32_t elements = gatheredElements(target_.instructions().getName(instAt(number).getOpcode()));
        ticks = ticksOf((elements ? elements : parts[i]) / commit.perCycle);
        // Once in an iteration.
        if (const double share = 1 - known.sameBlocks[i]; accesses[i].access.bytes < commit.narrowBytes && share > 0)
          ticks += static_cast<uint32_t>(std::lround(share * std::exchange(narrowTicks, 0)));
      }
  }

  /// Only so many stores to one block leave at a time: of a run of them, each first one of so many counts. Where runs
  /// end in some iterations only, all stores take the mean.
  void countTogether(std::span<const KnownAccess> accesses, std::vector<double> &parts) const {
    const uint32_t together = rules_.storeCommit.together;
    std::vector<size_t> stores;
    double all = 0;
    for (size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].stores) {
        stores.push_back(i);
        all += parts[i];
      }
    const auto isWhole = [&](size_t i) { return parts[i] == std::floor(parts[i]); };
    const auto first = llvm::find_if(stores, [&](size_t i) { return parts[i] >= 1; });
    if (first == stores.end() || !llvm::all_of(stores, isWhole)) {
      const double run = all > 0 ? double(stores.size()) / all : double(together);
      for (const size_t i : stores)
        parts[i] = std::ceil(std::round(run) / together) / run;
      return;
    }
    std::rotate(stores.begin(), first, stores.end());
    uint32_t position = 0;
    for (const size_t i : stores) {
      position = parts[i] >= 1 ? 0 : position + 1;
      if (position && position % together == 0)
        parts[i] = 1;
    }
  }

  /// A loop that crosses lines in some iterations takes the mean in each.
  void addSplit(double share, const CalibratedInstruction &instruction) {
    const auto add = [&](Range uses, double units) {
      const uint32_t ticks = ticksOf(share * units);
      for (uint32_t i = uses.first; i < uses.first + uses.count; ++i)
        body_.uses[i].ticks += ticks;
    };
    add(instruction.loadUses, rules_.splits.load);
    add(instruction.storeUses, rules_.splits.store);
  }

  void addForwards(const KnownMemory &known, std::span<const KnownAccess> accesses) {
    const StoreForwardingRule &forwarding = rules_.storeForwarding;
    const MemoryRenamingRule &renaming = rules_.memoryRenaming;
    for (const MemoryLink &link : known.links) {
      const KnownAccess &load = accesses[link.load];
      const uint32_t store = accesses[link.store].instruction;
      const bool isVector = usesVectors(load.instruction);
      const bool isRenamed = renaming.isOn && isRenamedLoad(load) && isRenamedLink(link, load, accesses[link.store]);
      if (!isRenamed && !forwarding.isOn)
        continue;
      StoreForward forward{.store = store,
                           .distance = link.distance,
                           .loadedBytes = load.access.bytes,
                           .isOneAddress = link.sameRegisters && link.distance == 1};
      using Kind = StoreForward::Kind;
      forward.kind = isRenamed           ? Kind::Renamed
                     : !link.isContained ? Kind::Partial
                     : isVector          ? Kind::Vector
                                         : Kind::General;
      const std::optional<uint32_t> forwarded = !link.isContained ? forwarding.partial
                                                : isVector        ? forwarding.vector
                                                                  : forwarding.general;
      const int32_t ofLoad = body_.instructions[load.instruction].loadLatency;
      // What extends the sign takes as much longer as it does without a store.
      const bool extends = forwarded && link.isContained && extendsSign(instAt(load.instruction));
      forward.latency = isRenamed ? static_cast<int32_t>(renaming.latency)
                                  : static_cast<int32_t>(forwarded.value_or(ofLoad)) +
                                        (extends ? std::max(0, ofLoad - body_.limits.loadLatency) : 0);
      body_.instructions[load.instruction].forward = static_cast<uint32_t>(body_.forwards.size());
      body_.forwards.push_back(forward);
    }
    predictForwards();
  }

  /// Whether a CPU that renames memory does it for this load.
  bool isRenamedLoad(const KnownAccess &load) const {
    const MemoryRenamingRule &renaming = rules_.memoryRenaming;
    const MemoryAccess &access = load.access;
    constexpr uint32_t kWord = 2;
    return access.bytes >= renaming.leastBytes && (renaming.words || access.bytes != kWord) &&
           (renaming.vector || !usesVectors(load.instruction)) && (renaming.index || !access.index.isValid()) &&
           (renaming.rip || !isInstructionPointer(access.base)) &&
           (renaming.signExtending || !extendsSign(instAt(load.instruction))) &&
           (!renaming.stackOnly || isStackPointer(access.base, target_));
  }
  bool isInstructionPointer(MCRegister reg) const {
    return reg.isValid() && StringRef(target_.registers().getName(reg)).ends_with("IP"); // rip, eip
  }
  bool isRenamedLink(const MemoryLink &link, const KnownAccess &load, const KnownAccess &store) const {
    if (rules_.memoryRenaming.otherStores)
      return link.isContained && link.beginsAlike;
    return link.sameRegisters && load.access.bytes == store.access.bytes;
  }

  /// The predictor knows loads by their place in the code, so it can learn only those of a loop.
  void predictForwards() {
    const PredictiveForwardingRule &predicting = rules_.predictiveForwarding;
    if (!predicting.isOn || (!how_.isTrace && !body_.instructions.back().isTakenBranch))
      return;
    const auto isPredicted = [&](uint32_t number) {
      const CalibratedInstruction &instruction = body_.instructions[number];
      if (instruction.forward == kNone)
        return false;
      const StoreForward &forward = body_.forwards[instruction.forward];
      const bool isOperation = !instruction.mayStore && !isPlainLoad(instAt(number));
      return (forward.kind == StoreForward::Kind::General ||
              (forward.kind == StoreForward::Kind::Vector && predicting.vector)) &&
             forward.loadedBytes >= predicting.leastBytes && (!isOperation || predicting.operations);
    };
    llvm::SmallVector<uint32_t, 8> predicted;
    for (uint32_t i = 0; i < region_.sources.size(); ++i)
      if (isPredicted(i))
        predicted.push_back(body_.instructions[i].forward);
    if (predicted.size() > predicting.loads)
      return;
    for (const uint32_t forward : predicted) {
      body_.forwards[forward].kind = StoreForward::Kind::Predicted;
      body_.forwards[forward].latency = static_cast<int32_t>(predicting.latency);
    }
  }

  bool extendsSign(const llvm::MCInst &inst) const {
    return StringRef(target_.instructions().getName(inst.getOpcode())).starts_with("MOVSX");
  }

  /// Moves, also those that extend what they load.
  bool isPlainLoad(const llvm::MCInst &inst) const {
    const StringRef name = target_.instructions().getName(inst.getOpcode());
    return name.starts_with("MOV") || name.starts_with("VMOV") || name.starts_with("POP");
  }

  const Target &target_;
  const CalibrationRules &rules_;
  const MemoryBytes &sizes_;
  const LoweredRegion &region_;
  const CalibratedRegion &how_;
  CalibratedBody &body_;
};

} // namespace

CalibratedMemory::CalibratedMemory(const Target &target, const CalibrationRules &rules)
    : target_(target), rules_(rules), sizes_(target) {}

void CalibratedMemory::add(const LoweredRegion &region, const CalibratedRegion &how, CalibratedBody &body) const {
  RegionMemory memory(target_, rules_, sizes_, region, how, body);
  if (target_.triple().isX86())
    memory.addKnown();
  memory.addStated();
}

} // namespace mca

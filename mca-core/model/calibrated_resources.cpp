#include "mca-core/model/calibrated_resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mca {
namespace {

using llvm::StringRef;

constexpr StringRef kLlvmResource = "llvm/"; // begins the names of a profile's resources that are LLVM's
constexpr StringRef kPlainLoad = "MOV64rm";
constexpr uint32_t kMostPorts = 32; // they are bits of a word

/// No use lasts longer than the longest latency.
void addUse(llvm::SmallVectorImpl<CalibratedUse> &uses, const CalibratedBody &body, uint32_t resource, double units) {
  const double most = double(kMaxLatency) * body.resources[resource].ticksPerCycle / kTicksPerUnit;
  if (const uint32_t ticks = ticksOf(std::min(units, most)))
    uses.push_back({static_cast<uint16_t>(resource), ticks});
}

/// Appends those of the list that are wanted, as one range.
template <typename T, typename Wanted>
Range append(llvm::ArrayRef<T> list, std::vector<T> &all, const Wanted &wanted) {
  Range range{static_cast<uint32_t>(all.size()), 0};
  llvm::copy_if(list, std::back_inserter(all), wanted);
  range.count = static_cast<uint32_t>(all.size()) - range.first;
  return range;
}

Range append(llvm::ArrayRef<CalibratedUse> list, std::vector<CalibratedUse> &all) {
  return append(list, all, [](const CalibratedUse &) { return true; });
}

/// The union of two lists; of what both take, the most.
Range fuseUses(Range first, Range second, std::vector<CalibratedUse> &all) {
  llvm::SmallVector<CalibratedUse, 8> merged(all.begin() + first.first, all.begin() + first.first + first.count);
  for (const CalibratedUse &use : llvm::ArrayRef(all).slice(second.first, second.count)) {
    auto *const same = llvm::find_if(merged, [&](const CalibratedUse &one) { return one.resource == use.resource; });
    if (same == merged.end())
      merged.push_back(use);
    else
      same->ticks = std::max(same->ticks, use.ticks);
  }
  return append(merged, all);
}

/// The second one's micro-op does the first one's work, where the ports of both allow it.
Range fusePorts(Range first, Range second, std::vector<PortUse> &all) {
  llvm::SmallVector<PortUse, 8> merged(all.begin() + first.first, all.begin() + first.first + first.count);
  for (const PortUse &use : llvm::ArrayRef(all).slice(second.first, second.count)) {
    auto *const wider = llvm::find_if(merged, [&](const PortUse &one) { return (use.ports & ~one.ports) == 0; });
    if (wider == merged.end())
      merged.push_back(use);
    else
      *wider = use;
  }
  const Range range{static_cast<uint32_t>(all.size()), static_cast<uint32_t>(merged.size())};
  all.insert(all.end(), merged.begin(), merged.end());
  return range;
}

} // namespace

CalibratedResources::CalibratedResources(const Target &target, const ResourceTable &resources,
                                         const Calibration &calibration)
    : resources_(resources), calibration_(calibration),
      bindsPorts_(calibration.isProfile() && calibration.rules.portBinding.isOn) {
  for (unsigned opcode = 0; bindsPorts_ && opcode < target.instructions().getNumOpcodes(); ++opcode) {
    if (target.instructions().getName(opcode) != kPlainLoad)
      continue;
    const unsigned schedClass = target.instructions().get(opcode).getSchedClass();
    const llvm::MCSchedClassDesc &load = *resources.model().getSchedClassDesc(schedClass);
    // LLVM lists the groups that hold a resource, too.
    loadUnits_ = ~uint64_t{0};
    for (const auto &entry :
         llvm::make_range(target.subtarget().getWriteProcResBegin(&load), target.subtarget().getWriteProcResEnd(&load)))
      loadUnits_ &= unitsOf(entry.ProcResourceIdx);
    break;
  }
}

void CalibratedResources::clear() {
  positions_.assign(calibration_.resources.size(), kNone);
  llvmUnits_.assign(calibration_.resources.size(), 0);
  ownPorts_.assign(calibration_.resources.size(), 0);
  llvmResources_.clear();
  ports_.clear();
}

void CalibratedResources::require(const CalibratedRow &instruction) {
  if (instruction.hasUses()) {
    for (const CalibratedForm::Use &use : instruction.row->uses)
      positions_[use.resource] = 0;
    return;
  }
  for (const ResourceUse &use : instruction.lowered->resources)
    if (use.cycles && !llvm::is_contained(llvmResources_, resources_.resourceOf(use.mask)))
      llvmResources_.push_back(resources_.resourceOf(use.mask));
}

void CalibratedResources::addTo(CalibratedBody &body) {
  assert(body.resources.empty());
  const std::vector<unsigned> required = std::exchange(llvmResources_, {});
  for (size_t i = 0; i < positions_.size(); ++i) {
    if (positions_[i] == kNone)
      continue;
    const CalibratedResource &resource = calibration_.resources[i];
    if (const unsigned llvms = findLlvmResource(resource.name)) {
      positions_[i] = kNone;
      llvmUnits_[i] = unitsOf(llvms);
      if (!llvm::is_contained(llvmResources_, llvms))
        llvmResources_.push_back(llvms);
      continue;
    }
    positions_[i] = static_cast<uint32_t>(body.resources.size());
    const PortBindingRule &binding = calibration_.rules.portBinding;
    const auto bound = binding.units.find(resource.name);
    if (binding.isOn && !calibration_.isProfile() && bound != binding.units.end())
      ownPorts_[i] = newPorts(static_cast<uint32_t>(bound->second), body);
    const auto &units = calibration_.rules.dependentIssue.units;
    const auto dependent = units.find(resource.name);
    body.resources.push_back(
        {resource.name, ticksOf(resource.capacity), dependent == units.end() ? 0 : ticksOf(dependent->second), false});
  }
  firstOfLlvm_ = static_cast<uint32_t>(body.resources.size());
  llvm::copy_if(required, std::back_inserter(llvmResources_),
                [&](unsigned resource) { return !llvm::is_contained(llvmResources_, resource); });
  addLlvmGroups();
  for (const unsigned resource : llvmResources_) {
    const llvm::MCProcResourceDesc &description = resources_.describe(resource);
    // A profile is of LLVM's resources as a whole.
    std::string name = (calibration_.isProfile() ? "" : "LLVM's ") + std::string(description.Name);
    body.resources.push_back({std::move(name), ticksOf(std::min(description.NumUnits, kMaxUnitsPerCycle)), 0, true});
  }
}

/// Adds the groups that hold several of LLVM's resources in use: what takes p0 or p1 and what takes p1 or p5 cannot
/// take more than three ports together.
void CalibratedResources::addLlvmGroups() {
  const size_t used = llvmResources_.size();
  for (unsigned group = 1; group < resources_.size(); ++group) {
    if (!resources_.isGroup(group) || llvm::is_contained(llvmResources_, group))
      continue;
    const auto isHeld = [&](unsigned resource) { return (unitsOf(resource) & ~unitsOf(group)) == 0; };
    if (llvm::count_if(llvm::ArrayRef(llvmResources_).take_front(used), isHeld) > 1)
      llvmResources_.push_back(group);
  }
}

/// LLVM's resource that a profile means by `llvm/Port05`: its name without the CPU's part. 0: it means none, or the
/// CPU's model has no such resource.
unsigned CalibratedResources::findLlvmResource(StringRef name) const {
  if (!name.consume_front(kLlvmResource))
    return 0;
  for (unsigned resource = 1; resource < resources_.size(); ++resource)
    if (StringRef(resources_.describe(resource).Name).ends_with(name))
      return resource;
  return 0;
}

/// The bits of the resource's units, without the one that LLVM gives a group itself.
uint64_t CalibratedResources::unitsOf(unsigned resource) const {
  const uint64_t mask = resources_.maskOf(resource);
  return resources_.isGroup(resource) ? mask ^ llvm::bit_floor(mask) : mask;
}

void CalibratedResources::addUses(const CalibratedRow &source, CalibratedInstruction &instruction,
                                  CalibratedBody &body) {
  const llvm::SmallVector<Taken, 8> taken = takenOf(source);
  llvm::SmallVector<CalibratedUse, 8> all = ownUses(source, body, /*areBound=*/false);
  const llvm::SmallVector<CalibratedUse, 8> llvms = llvmUses(taken, body);
  if (bindsPorts_) {
    instruction.groupUses = append(llvms, body.uses);
    addPorts(taken, instruction, body);
  } else {
    all.append(llvms.begin(), llvms.end());
    const llvm::SmallVector<CalibratedUse, 8> bound = ownUses(source, body, /*areBound=*/true);
    instruction.groupUses = append(bound, body.uses);
    addOwnPorts(source, instruction, body);
  }
  const auto isFor = [&](const CalibratedUse &use, const char *prefix) {
    return StringRef(body.resources[use.resource].name).starts_with(prefix);
  };
  const auto isLoads = [&](const CalibratedUse &use) {
    return instruction.mayLoad && (body.resources[use.resource].isLlvms || isFor(use, "load"));
  };
  const auto isStores = [&](const CalibratedUse &use) {
    return instruction.mayStore && !isLoads(use) && isFor(use, "store");
  };
  const auto isOther = [&](const CalibratedUse &use) { return !isLoads(use) && !isStores(use); };
  instruction.loadUses = append<CalibratedUse>(all, body.uses, isLoads);
  instruction.uses = append<CalibratedUse>(all, body.uses, isOther);
  instruction.storeUses = append<CalibratedUse>(all, body.uses, isStores);
}

/// What an instruction takes of LLVM's resources. ResourceUse::units of a group counts what LLVM took out of its
/// cycles, unless the whole group is reserved.
llvm::SmallVector<CalibratedResources::Taken, 8> CalibratedResources::takenOf(const CalibratedRow &source) const {
  llvm::SmallVector<Taken, 8> taken;
  if (source.hasUses()) {
    for (const CalibratedForm::Use &use : source.row->uses)
      if (const uint64_t units = llvmUnits_[use.resource])
        taken.push_back({units, use.amount});
    return taken;
  }
  for (const ResourceUse &use : source.lowered->resources)
    if (use.cycles)
      taken.push_back({unitsOf(resources_.resourceOf(use.mask)), double(use.cycles) * (use.reserved ? use.units : 1)});
  return taken;
}

llvm::SmallVector<CalibratedUse, 8> CalibratedResources::ownUses(const CalibratedRow &source,
                                                                 const CalibratedBody &body, bool areBound) const {
  llvm::SmallVector<CalibratedUse, 8> uses;
  if (source.hasUses())
    for (const CalibratedForm::Use &use : source.row->uses)
      if (positions_[use.resource] != kNone && (ownPorts_[use.resource] != 0) == areBound)
        addUse(uses, body, positions_[use.resource], use.amount);
  return uses;
}

/// A group holds what its members hold, so that it bounds the sum of them.
llvm::SmallVector<CalibratedUse, 8> CalibratedResources::llvmUses(llvm::ArrayRef<Taken> taken,
                                                                  const CalibratedBody &body) const {
  llvm::SmallVector<CalibratedUse, 8> uses;
  for (const auto &[i, resource] : llvm::enumerate(llvmResources_)) {
    double units = 0;
    for (const Taken &one : taken)
      if ((one.units & ~unitsOf(resource)) == 0)
        units += one.amount;
    addUse(uses, body, firstOfLlvm_ + static_cast<uint32_t>(i), units);
  }
  return uses;
}

void CalibratedResources::addPorts(llvm::ArrayRef<Taken> taken, CalibratedInstruction &instruction,
                                   CalibratedBody &body) {
  const auto addAll = [&](bool ofLoads) {
    Range range{static_cast<uint32_t>(body.portUses.size()), 0};
    for (const Taken &one : taken)
      if ((instruction.mayLoad && (one.units & ~loadUnits_) == 0) == ofLoads)
        addLlvmPortUses(one, body);
    range.count = static_cast<uint32_t>(body.portUses.size()) - range.first;
    return range;
  };
  instruction.loadPorts = addAll(true);
  instruction.ports = addAll(false);
}

/// The micro-ops for those of the calibration's resources that are bound to ports.
void CalibratedResources::addOwnPorts(const CalibratedRow &source, CalibratedInstruction &instruction,
                                      CalibratedBody &body) {
  instruction.ports = {static_cast<uint32_t>(body.portUses.size()), 0};
  if (source.hasUses())
    for (const CalibratedForm::Use &use : source.row->uses)
      if (const uint32_t ports = ownPorts_[use.resource])
        addPortUses(ports, use.amount, static_cast<uint16_t>(positions_[use.resource]), body);
  instruction.ports.count = static_cast<uint32_t>(body.portUses.size()) - instruction.ports.first;
}

void CalibratedResources::addLlvmPortUses(const Taken &taken, CalibratedBody &body) {
  const auto group = llvm::find_if(llvmResources_, [&](unsigned resource) { return unitsOf(resource) == taken.units; });
  assert(group != llvmResources_.end() && "what an instruction takes was required");
  addPortUses(portsOf(taken.units, body), taken.amount,
              static_cast<uint16_t>(firstOfLlvm_ + (group - llvmResources_.begin())), body);
}

/// A micro-op for each cycle of a group, which may go to different ports.
void CalibratedResources::addPortUses(uint32_t ports, double amount, uint16_t resource, CalibratedBody &body) {
  amount = std::min(amount, double(kMaxLatency));
  const auto whole = llvm::popcount(ports) > 1 ? static_cast<uint32_t>(amount) : 0;
  body.portUses.insert(body.portUses.end(), whole, {ports, kTicksPerUnit, resource});
  if (const uint32_t ticks = ticksOf(amount - whole))
    body.portUses.push_back({ports, ticks, resource});
}

/// Ports of a resource of the calibration's. None if there are too many for a body.
uint32_t CalibratedResources::newPorts(uint32_t count, CalibratedBody &body) {
  if (body.portCount + count > kMostPorts)
    return 0;
  body.takesPortsInTurn = true;
  return ((uint32_t{1} << count) - 1) << std::exchange(body.portCount, body.portCount + count);
}

/// Those that no instruction took before are new ones of the body.
uint32_t CalibratedResources::portsOf(uint64_t units, CalibratedBody &body) {
  uint32_t ports = 0;
  for (; units; units &= units - 1) {
    const uint64_t unit = units & -units;
    const auto number = static_cast<size_t>(llvm::find(ports_, unit) - ports_.begin());
    assert(number < kMostPorts && "ports are bits of a word");
    if (number == ports_.size())
      ports_.push_back(unit);
    ports |= uint32_t{1} << number;
  }
  body.portCount = static_cast<uint32_t>(ports_.size());
  return ports;
}

void CalibratedResources::fuse(CalibratedInstruction &first, CalibratedInstruction &second, CalibratedBody &body) {
  first.uses = fuseUses(first.uses, second.uses, body.uses);
  first.groupUses = fuseUses(first.groupUses, second.groupUses, body.uses);
  first.ports = fusePorts(first.ports, second.ports, body.portUses);
  second.uses.count = second.groupUses.count = second.ports.count = 0;
}

} // namespace mca

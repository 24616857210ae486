// Follows the registers' values through one iteration, then compares the addresses of loads and stores.
#include "mca-core/model/known_addresses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace mca {
namespace {

/// Stores further back have left every store queue.
constexpr uint32_t kMaxDistance = 512; // instructions
constexpr int64_t kMaxStep = 1 << 20;  // bytes; larger ones leave every line and page

/// A register's value: that of `origin` plus a constant.
struct KnownValue {
  uint32_t origin = 0;
  uint64_t constant = 0; // wraps like the register
  bool operator==(const KnownValue &) const = default;
};

/// What two addresses must have in common to be compared.
using AddressKey = std::tuple<uint32_t, uint32_t, int64_t, const llvm::MCSymbol *>;

struct KnownAddress {
  AddressKey key;
  int64_t offset = 0, step = 0;
  KnownValue base, index;
  bool isPersistent = false; ///< the key means the same in all iterations
};

/// The values of registers during one iteration. Numbers of origins: LLVM's registers, then one for each other value.
class RegisterValues {
public:
  explicit RegisterValues(const Target &target)
      : target_(target), next_(target.registers().getNumRegs()), firstUnnamed_(next_) {}

  KnownValue at(llvm::MCRegister reg) const {
    const auto found = values_.find(reg.id());
    return found == values_.end() ? KnownValue{reg.id(), 0} : found->second;
  }

  void execute(const llvm::MCInst &inst) {
    const std::optional<AddedConstant> added = addedConstantOf(inst, target_);
    std::optional<KnownValue> value;
    if (added)
      value = at(added->source);
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    for (unsigned i = 0; i < std::min<unsigned>(description.getNumDefs(), inst.getNumOperands()); ++i)
      if (inst.getOperand(i).isReg())
        forget(inst.getOperand(i).getReg());
    // A call returns with the stack pointer that it had.
    if (!description.isCall() && !description.isReturn())
      for (const llvm::MCPhysReg reg : description.implicit_defs())
        forget(reg);
    if (added)
      values_[added->destination.id()] = {value->origin, value->constant + static_cast<uint64_t>(added->constant)};
  }

  /// After the iteration: by how much the register grows in each, or nothing if that is unknown.
  std::optional<int64_t> stepOf(uint32_t origin) const {
    if (origin >= firstUnnamed_)
      return std::nullopt;
    const KnownValue end = at(origin);
    const auto step = static_cast<int64_t>(end.constant);
    return end.origin == origin && step >= -kMaxStep && step <= kMaxStep ? std::optional(step) : std::nullopt;
  }

private:
  void forget(llvm::MCRegister reg) {
    if (!reg.isValid())
      return;
    for (const llvm::MCPhysReg whole : target_.registers().superregs_inclusive(reg))
      values_[whole] = {next_++, 0};
    for (const llvm::MCPhysReg part : target_.registers().subregs(reg))
      values_[part] = {next_++, 0};
  }

  const Target &target_;
  llvm::DenseMap<unsigned, KnownValue> values_;
  uint32_t next_, firstUnnamed_;
};

/// Fills in what is known before the end of the iteration.
KnownAddress addressIn(const RegisterValues &values, const MemoryAccess &access) {
  KnownAddress address;
  if (access.base.isValid())
    address.base = values.at(access.base);
  if (access.index.isValid())
    address.index = values.at(access.index);
  address.key = {address.base.origin, address.index.origin, access.scale, access.symbol};
  address.offset =
      static_cast<int64_t>(address.base.constant + static_cast<uint64_t>(access.scale) * address.index.constant +
                           static_cast<uint64_t>(access.displacement));
  return address;
}

/// Adds the step, once the whole iteration is known.
void addStep(const RegisterValues &values, const MemoryAccess &access, KnownAddress &address) {
  const auto stepOf = [&](llvm::MCRegister reg, const KnownValue &value) {
    return reg.isValid() ? values.stepOf(value.origin) : std::optional<int64_t>(0);
  };
  const std::optional<int64_t> base = stepOf(access.base, address.base);
  const std::optional<int64_t> index = stepOf(access.index, address.index);
  address.isPersistent = base && index;
  if (address.isPersistent)
    address.step = *base + access.scale * *index;
}

class Comparison {
public:
  Comparison(std::span<const KnownAccess> accesses, std::span<const KnownAddress> addresses, uint32_t length)
      : accesses_(accesses), addresses_(addresses), length_(length) {
    for (uint32_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].stores && accesses[i].access.isKnown && accesses[i].access.bytes)
        stores_[addresses[i].key].push_back(i);
  }

  std::optional<MemoryLink> find(uint32_t load) const {
    const auto stores = stores_.find(addresses_[load].key);
    if (stores == stores_.end())
      return std::nullopt;
    const uint32_t iterations = addresses_[load].isPersistent ? 1 + kMaxDistance / length_ : 0;
    for (uint32_t distance = 0; distance <= iterations; ++distance)
      for (const uint32_t store : llvm::reverse(stores->second)) {
        const int64_t apart =
            int64_t(accesses_[load].instruction) - accesses_[store].instruction + int64_t(distance) * length_;
        if (apart <= 0)
          continue;
        if (apart > kMaxDistance && distance > 1)
          return std::nullopt;
        if (std::optional<MemoryLink> link = compare(load, store, distance))
          return link;
      }
    return std::nullopt;
  }

private:
  std::optional<MemoryLink> compare(uint32_t load, uint32_t store, uint32_t distance) const {
    const MemoryAccess &from = accesses_[store].access, &to = accesses_[load].access;
    const KnownAddress &stored = addresses_[store], &loaded = addresses_[load];
    // Both addresses in the iteration of the load; they wrap.
    const auto place =
        static_cast<int64_t>(static_cast<uint64_t>(loaded.offset) - static_cast<uint64_t>(stored.offset) +
                             uint64_t(distance) * static_cast<uint64_t>(loaded.step));
    if (place >= int64_t(from.bytes) || place <= -int64_t(to.bytes))
      return std::nullopt;
    const bool isUnchanged = (distance == 0 || loaded.step == 0) && stored.base == loaded.base &&
                             stored.index == loaded.index && from.displacement == to.displacement;
    const bool isOneStack = from.base == to.base && (from.isStack || to.isStack) && place == 0;
    return MemoryLink{.load = load,
                      .store = store,
                      .distance = distance,
                      .isContained = place >= 0 && place + to.bytes <= int64_t(from.bytes),
                      .sameRegisters = isOneStack || (isUnchanged && from.base == to.base && from.index == to.index)};
  }

  std::span<const KnownAccess> accesses_;
  std::span<const KnownAddress> addresses_;
  uint32_t length_;
  std::map<AddressKey, std::vector<uint32_t>> stores_;
};

/// Returns in which share of the iterations the access crosses a line.
double splitShare(const KnownAddress &address, uint32_t bytes, uint32_t line) {
  const uint64_t step = static_cast<uint64_t>(address.step) & (line - 1);
  const uint64_t period = step ? line / std::gcd(step, uint64_t(line)) : 1;
  uint64_t splits = 0;
  for (uint64_t i = 0; i < period; ++i)
    splits += ((static_cast<uint64_t>(address.offset) + i * step) & (line - 1)) + bytes > line;
  return double(splits) / double(period);
}

/// By access, for stores: the share of the iterations in which the store before it, of this iteration or the one before,
/// is to the same line.
std::vector<double> findSameLines(std::span<const KnownAccess> accesses, std::span<const KnownAddress> addresses,
                                  uint32_t line) {
  std::vector<double> shares(accesses.size());
  std::vector<uint32_t> stores;
  for (uint32_t i = 0; i < accesses.size(); ++i)
    if (accesses[i].stores)
      stores.push_back(i);
  const auto isKnown = [&](uint32_t store) { return accesses[store].access.isKnown && accesses[store].access.bytes; };
  for (size_t i = 0; i < stores.size(); ++i) {
    const uint32_t store = stores[i], before = stores[i ? i - 1 : stores.size() - 1];
    const KnownAddress &address = addresses[store];
    if (!isKnown(store) || !isKnown(before) || address.key != addresses[before].key ||
        (i == 0 && !address.isPersistent))
      continue;
    const auto step = static_cast<uint64_t>(address.step);
    const uint64_t inLine = step & (line - 1), period = inLine ? line / std::gcd(inLine, uint64_t(line)) : 1;
    uint64_t same = 0;
    for (uint64_t turn = 1; turn <= period; ++turn) {
      const auto lineOf = [&](const KnownAddress &one, uint64_t iteration) {
        return (static_cast<uint64_t>(one.offset) + iteration * step) & ~uint64_t(line - 1);
      };
      same += lineOf(address, turn) == lineOf(addresses[before], turn - (i == 0));
    }
    shares[store] = double(same) / double(period);
  }
  return shares;
}

} // namespace

KnownMemory findKnownMemory(const Target &target, std::span<const Instruction *const> region,
                            std::span<const KnownAccess> accesses, uint32_t lineBytes) {
  RegisterValues values(target);
  std::vector<KnownAddress> addresses;
  size_t next = 0;
  for (uint32_t i = 0; i < region.size(); ++i) {
    for (; next < accesses.size() && accesses[next].instruction == i; ++next)
      addresses.push_back(addressIn(values, accesses[next].access));
    values.execute(region[i]->inst);
  }
  for (size_t i = 0; i < accesses.size(); ++i)
    addStep(values, accesses[i].access, addresses[i]);
  KnownMemory known;
  const Comparison comparison(accesses, addresses, static_cast<uint32_t>(region.size()));
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const MemoryAccess &access = accesses[i].access;
    if (!access.isKnown || !access.bytes)
      continue;
    if (accesses[i].loads)
      if (const std::optional<MemoryLink> link = comparison.find(i))
        known.links.push_back(*link);
    const double share = addresses[i].isPersistent ? splitShare(addresses[i], access.bytes, lineBytes) : 0;
    if (share > 0)
      known.splits.push_back({i, share});
  }
  known.sameLines = findSameLines(accesses, addresses, lineBytes);
  return known;
}

} // namespace mca

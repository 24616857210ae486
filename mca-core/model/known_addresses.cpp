// Follows the registers' values through one iteration, then compares the addresses of loads and stores.
#include "mca-core/model/known_addresses.h"

#include "mca-core/program/operands.h"

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
  uint64_t place = 0;  ///< the offset, from the begin of a line; wraps
  bool isData = false; ///< behind a pointer that the code does not show: not the stack, nor what has a name
  KnownValue base, index;
  bool isPersistent = false; ///< the key means the same in all iterations
  bool isNamed = false;      ///< by registers alone, which nothing in the region has computed
};

/// The values of registers during one iteration. An origin is a register's value at the begin, or a value that an
/// instruction computes: two instructions that do the same with the same values compute one.
class RegisterValues {
public:
  explicit RegisterValues(const Target &target) : target_(target), firstComputed_(target.registers().getNumRegs()) {}

  KnownValue at(llvm::MCRegister reg) const {
    const unsigned whole = wholeRegister(reg, target_).id();
    const auto found = values_.find(whole);
    return found == values_.end() ? KnownValue{whole, 0} : found->second;
  }

  /// `stable`: what the instruction loads, if nothing in the region is known to write it; else null.
  void execute(const llvm::MCInst &inst, const MemoryAccess *stable) {
    std::optional<AddedConstant> added = addedConstantOf(inst, target_);
    // The sum of narrower registers may wrap.
    if (added && (wholeRegister(added->destination, target_) != added->destination ||
                  wholeRegister(added->source, target_) != added->source))
      added = std::nullopt;
    std::optional<KnownValue> value;
    if (added)
      value = at(added->source);
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    const std::optional<uint32_t> computed = compute(inst, description, stable);
    // A call returns with the stack pointer that it had.
    const bool keepsStack = description.isCall() || description.isReturn();
    uint32_t result = 0;
    for (unsigned i = 0; i < std::min<unsigned>(description.getNumDefs(), inst.getNumOperands()); ++i)
      if (inst.getOperand(i).isReg())
        define(inst.getOperand(i).getReg(), computed, result++);
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      if (!keepsStack)
        define(reg, computed, result++);
    if (added)
      values_[wholeRegister(added->destination, target_).id()] = {
          value->origin, value->constant + static_cast<uint64_t>(added->constant)};
  }

  /// After the iteration: what an origin is in the steady state, and by how much it grows in each iteration; nothing if
  /// that is unknown.
  struct Steady {
    KnownValue value;
    int64_t step = 0;
  };
  std::optional<Steady> steady(uint32_t origin, unsigned depth = 0) const {
    constexpr unsigned kDeepest = 16;
    if (depth > kDeepest)
      return std::nullopt;
    if (origin >= firstComputed_) {
      const Computed &computed = computed_[origin - firstComputed_];
      for (const uint32_t input : computed.inputs)
        if (const std::optional<Steady> one = steady(input, depth + 1); !one || one->step)
          return std::nullopt;
      return computed.isRepeatable ? std::optional(Steady{{origin, 0}, 0}) : std::nullopt;
    }
    const KnownValue end = at(origin);
    const auto step = static_cast<int64_t>(end.constant);
    if (end.origin == origin)
      return step >= -kMaxStep && step <= kMaxStep ? std::optional(Steady{{origin, 0}, step}) : std::nullopt;
    // What an iteration begins with is what the one before ended with.
    std::optional<Steady> last = steady(end.origin, depth + 1);
    if (last && last->step)
      return std::nullopt;
    if (last)
      last->value.constant += end.constant;
    return last;
  }
  bool isComputed(uint32_t origin) const { return origin >= firstComputed_; }
  const Target &target() const { return target_; }

private:
  struct Computed {
    std::vector<uint32_t> inputs; ///< origins
    bool isRepeatable = false;    ///< the same in each iteration if its inputs are
  };

  /// The first number of the values that the instruction computes; nothing if they cannot be the same elsewhere.
  std::optional<uint32_t> compute(const llvm::MCInst &inst, const llvm::MCInstrDesc &description,
                                  const MemoryAccess *stable) {
    const bool isPure = !description.mayStore() && !description.isCall() && !description.hasUnmodeledSideEffects() &&
                        (!description.mayLoad() || stable);
    if (!isPure)
      return std::nullopt;
    std::vector<uint64_t> key{inst.getOpcode()};
    Computed made{.inputs = {}, .isRepeatable = true};
    const auto read = [&](llvm::MCRegister reg) {
      const KnownValue value = reg.isValid() ? at(reg) : KnownValue();
      key.insert(key.end(), {value.origin, value.constant});
      if (reg.isValid())
        made.inputs.push_back(value.origin);
    };
    for (unsigned i = description.getNumDefs(); i < inst.getNumOperands(); ++i)
      if (inst.getOperand(i).isReg())
        read(inst.getOperand(i).getReg());
      else if (inst.getOperand(i).isImm())
        key.push_back(static_cast<uint64_t>(inst.getOperand(i).getImm()));
      else if (!description.mayLoad())
        return std::nullopt;
    for (const llvm::MCPhysReg reg : description.implicit_uses())
      read(reg);
    if (stable)
      key.push_back(reinterpret_cast<uintptr_t>(stable->symbol));
    const size_t results = description.getNumDefs() + description.implicit_defs().size();
    const auto [found, isNew] =
        numbers_.try_emplace(std::move(key), firstComputed_ + static_cast<uint32_t>(computed_.size()));
    if (isNew)
      computed_.insert(computed_.end(), results, made);
    return found->second;
  }

  /// A register gets a value of its own, or the instruction's result of this number.
  void define(llvm::MCRegister reg, std::optional<uint32_t> computed, uint32_t result) {
    if (!reg.isValid())
      return;
    uint32_t origin = firstComputed_ + static_cast<uint32_t>(computed_.size());
    if (computed && definesWholeRegister(reg, target_))
      origin = *computed + result;
    else
      computed_.push_back({});
    values_[wholeRegister(reg, target_).id()] = {origin, 0};
  }

  const Target &target_;
  llvm::DenseMap<unsigned, KnownValue> values_; // by whole register
  uint32_t firstComputed_;
  std::vector<Computed> computed_;
  std::map<std::vector<uint64_t>, uint32_t> numbers_;
};

/// Fills in what is known before the end of the iteration.
KnownAddress addressIn(const RegisterValues &values, const MemoryAccess &access) {
  KnownAddress address;
  if (access.base.isValid())
    address.base = values.at(access.base);
  if (access.index.isValid())
    address.index = values.at(access.index);
  return address;
}

/// Fills in the rest: registers as they are in the steady state, and steps.
void finishAddress(const RegisterValues &values, const MemoryAccess &access, const KnownLines &lines,
                   KnownAddress &address) {
  int64_t steps[2] = {};
  address.isPersistent = true;
  const auto resolve = [&](llvm::MCRegister reg, KnownValue &value, int64_t &step) {
    if (!reg.isValid())
      return;
    if (const auto steady = values.steady(value.origin)) {
      value = {steady->value.origin, value.constant + steady->value.constant};
      step = steady->step;
    } else {
      address.isPersistent = false;
    }
  };
  resolve(access.base, address.base, steps[0]);
  resolve(access.index, address.index, steps[1]);
  address.isNamed = !values.isComputed(address.base.origin) && !values.isComputed(address.index.origin);
  address.key = {address.base.origin, address.index.origin, access.scale, access.symbol};
  address.offset =
      static_cast<int64_t>(address.base.constant + static_cast<uint64_t>(access.scale) * address.index.constant +
                           static_cast<uint64_t>(access.displacement));
  if (address.isPersistent)
    address.step = steps[0] + access.scale * steps[1];
  const auto bytesAtEntry = [&](const KnownValue &value) -> int64_t {
    const auto entry =
        llvm::find_if(lines.offsets, [&](const EntryOffset &one) { return one.reg.id() == value.origin; });
    return entry == lines.offsets.end() ? 0 : entry->bytes;
  };
  address.isData =
      access.base.isValid() && !access.isStack && !access.symbol && !isStackPointer(access.base, values.target());
  const int64_t further = bytesAtEntry(address.base) + access.scale * bytesAtEntry(address.index) +
                          (lines.unaligned && address.isData ? kUnalignedBytes : 0);
  address.place = static_cast<uint64_t>(address.offset) + static_cast<uint64_t>(further);
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
                      .beginsAlike = place == 0,
                      .sameRegisters = isOneStack || (isUnchanged && from.base == to.base && from.index == to.index)};
  }

  std::span<const KnownAccess> accesses_;
  std::span<const KnownAddress> addresses_;
  uint32_t length_;
  std::map<AddressKey, std::vector<uint32_t>> stores_;
};

/// Returns in which share of the iterations the access crosses a line; `further`: bytes behind its place.
double splitShare(const KnownAddress &address, uint64_t further, uint32_t bytes, uint32_t line) {
  const uint64_t step = static_cast<uint64_t>(address.step) & (line - 1);
  const uint64_t period = step ? line / std::gcd(step, uint64_t(line)) : 1;
  uint64_t splits = 0;
  for (uint64_t i = 0; i < period; ++i)
    splits += ((address.place + further + i * step) & (line - 1)) + bytes > line;
  return double(splits) / double(period);
}

/// Nothing if it crosses no line with either place of its pointer, or nobody knows.
std::optional<SplitShare> findSplit(uint32_t number, const MemoryAccess &access, const KnownAddress &address,
                                    uint32_t line) {
  // Where an address begins is a guess unless it walks over all places, or is a register's alone.
  const bool isPlaced = address.step != 0 || (address.isNamed && !access.index.isValid());
  if (!isPlaced || !address.isPersistent)
    return std::nullopt;
  const double share = splitShare(address, 0, access.bytes, line);
  const double further = address.isData ? splitShare(address, kUnalignedBytes, access.bytes, line) : share;
  return share > 0 || further > 0 ? std::optional(SplitShare{number, share, further}) : std::nullopt;
}

/// By access, for stores: the share of the iterations in which the store before it, of this iteration or the one
/// before, is to the same line. Other registers and other values point to other lines, and so does an address that is
/// another one in each iteration; where an operand says nothing, the answer is yes.
std::vector<double> findSameBlocks(std::span<const KnownAccess> accesses, std::span<const KnownAddress> addresses,
                                   uint32_t block) {
  std::vector<double> shares(accesses.size());
  std::vector<uint32_t> stores;
  for (uint32_t i = 0; i < accesses.size(); ++i)
    if (accesses[i].stores)
      stores.push_back(i);
  const auto isKnown = [&](uint32_t store) { return accesses[store].access.isKnown && accesses[store].access.bytes; };
  for (size_t i = 0; i < stores.size(); ++i) {
    const uint32_t store = stores[i], before = stores[i ? i - 1 : stores.size() - 1];
    const KnownAddress &address = addresses[store];
    shares[store] = 1;
    if (!isKnown(store) || !isKnown(before))
      continue;
    if (address.key != addresses[before].key || (i == 0 && !address.isPersistent)) {
      shares[store] = 0;
      continue;
    }
    const auto step = static_cast<uint64_t>(address.step);
    const uint64_t inBlock = step & (block - 1), period = inBlock ? block / std::gcd(inBlock, uint64_t(block)) : 1;
    uint64_t same = 0;
    for (uint64_t turn = 1; turn <= period; ++turn) {
      const auto blockOf = [&](const KnownAddress &one, uint64_t iteration) {
        return (one.place + iteration * step) & ~uint64_t(block - 1);
      };
      same += blockOf(address, turn) == blockOf(addresses[before], turn - (i == 0));
    }
    shares[store] = double(same) / double(period);
  }
  return shares;
}

/// By access. Which pointer it is does not matter, but which index is does.
std::vector<std::optional<KnownPlace>> findPlaces(std::span<const KnownAccess> accesses,
                                                  std::span<const KnownAddress> addresses) {
  std::vector<std::optional<KnownPlace>> places(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    const MemoryAccess &access = accesses[i].access;
    const KnownAddress &address = addresses[i];
    if (access.isKnown && access.bytes && address.isPersistent && address.isNamed)
      places[i] = {.index = access.index.isValid() ? address.index.origin : 0,
                   .scale = access.index.isValid() ? access.scale : 0,
                   .offset = static_cast<int64_t>(address.place),
                   .step = address.step};
  }
  return places;
}

/// Whether a load reads what no store of the region writes through the same registers.
bool isStable(const KnownAccess &load, std::span<const KnownAccess> accesses) {
  const MemoryAccess &read = load.access;
  if (!load.loads || load.stores || !read.isKnown || !read.bytes || read.isStack)
    return false;
  return llvm::none_of(accesses, [&](const KnownAccess &other) {
    const MemoryAccess &written = other.access;
    return other.stores && written.base == read.base && written.index == read.index && written.symbol == read.symbol &&
           written.displacement < read.displacement + int64_t(read.bytes) &&
           read.displacement < written.displacement + int64_t(written.bytes);
  });
}

} // namespace

KnownMemory findKnownMemory(const Target &target, std::span<const Instruction *const> region,
                            std::span<const KnownAccess> accesses, const KnownLines &lines) {
  RegisterValues values(target);
  std::vector<KnownAddress> addresses;
  size_t next = 0;
  for (uint32_t i = 0; i < region.size(); ++i) {
    const MemoryAccess *stable = nullptr;
    for (; next < accesses.size() && accesses[next].instruction == i; ++next) {
      addresses.push_back(addressIn(values, accesses[next].access));
      if (isStable(accesses[next], accesses))
        stable = &accesses[next].access;
    }
    values.execute(region[i]->inst, stable);
  }
  for (size_t i = 0; i < accesses.size(); ++i)
    finishAddress(values, accesses[i].access, lines, addresses[i]);
  KnownMemory known;
  const Comparison comparison(accesses, addresses, static_cast<uint32_t>(region.size()));
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const MemoryAccess &access = accesses[i].access;
    if (!access.isKnown || !access.bytes)
      continue;
    if (accesses[i].loads)
      if (const std::optional<MemoryLink> link = comparison.find(i))
        known.links.push_back(*link);
    if (const std::optional<SplitShare> split = findSplit(i, access, addresses[i], lines.lineBytes))
      known.splits.push_back(*split);
  }
  known.sameBlocks = findSameBlocks(accesses, addresses, lines.blockBytes);
  known.places = findPlaces(accesses, addresses);
  return known;
}

} // namespace mca

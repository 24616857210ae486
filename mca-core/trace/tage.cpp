#include "mca-core/trace/tage.h"

#include <bit>

namespace mca {
namespace {

/// A geometric series from 4 to 1000, rounded.
constexpr std::array<uint32_t, 12> kLengths = {4, 7, 11, 18, 30, 49, 81, 134, 222, 366, 605, 1000};
constexpr uint32_t kAgingPeriod = 1u << 18; ///< updates after which every entry loses half of its usefulness

} // namespace

template <unsigned IndexBits>
Tage<IndexBits>::Tage()
    : history_(kLengths), entries_(kTables << kIndexBits), base_(1u << kBaseBits, Counter<2>(false)) {}

template <unsigned IndexBits>
typename Tage<IndexBits>::Lookup Tage<IndexBits>::lookUp(const BranchSite &branch) const {
  Lookup found{.slots = {branch, history_.fingerprints()}};
  uint32_t hits = 0;
  for (unsigned table = 0; table < kTables; ++table)
    hits |= uint32_t{entries_[found.slots.indices[table]].tag == found.slots.tags[table]} << table;

  const bool basic = base_[baseIndex(branch)].yes();
  found.prediction = found.alternative = found.final = basic;
  if (!hits)
    return found;
  found.provider = static_cast<int>(std::bit_width(hits)) - 1;
  const Entry &entry = at(found, found.provider);
  found.prediction = entry.direction.yes();
  found.isNew = entry.direction.isWeak() && entry.useful == 0;
  hits &= ~(1u << found.provider);
  if (hits)
    found.alternative = at(found, static_cast<int>(std::bit_width(hits)) - 1).direction.yes();
  found.final = found.isNew && alternativeIsBetter_.yes() ? found.alternative : found.prediction;
  return found;
}

template <unsigned IndexBits>
bool Tage<IndexBits>::mispredictsDirection(const BranchSite &branch, bool taken) {
  const Lookup found = lookUp(branch);
  learn(branch, found, taken);
  history_.push(taken);
  return found.final != taken;
}

template <unsigned IndexBits>
void Tage<IndexBits>::learn(const BranchSite &branch, const Lookup &found, bool taken) {
  if (found.provider < 0) {
    base_[baseIndex(branch)].count(taken);
  } else {
    Entry &entry = at(found, found.provider);
    const bool differs = found.prediction != found.alternative, right = found.prediction == taken;
    if (differs && found.isNew)
      alternativeIsBetter_.count(!right);
    entry.useful = static_cast<uint8_t>(entry.useful + int{differs && right && entry.useful < 3} -
                                        int{differs && !right && entry.useful > 0});
    entry.direction.count(taken);
  }
  // A new entry that was right and not trusted needs no further one.
  const bool needsHistory = found.final != taken && !(found.isNew && found.prediction == taken);
  if (needsHistory && found.provider + 1 < kTables)
    allocate(found, taken);
  if (++updates_ % kAgingPeriod == 0)
    ageUsefulness();
}

/// Allocates one entry that is not useful, in a table with a longer history than the provider's. If there is none, the
/// entries in question become less useful.
template <unsigned IndexBits>
void Tage<IndexBits>::allocate(const Lookup &found, bool taken) {
  const int first = policy_.firstTable(found.provider + 1, kTables);
  for (int table = first; table < kTables; ++table) {
    Entry &entry = at(found, table);
    if (entry.useful == 0) {
      entry = {.tag = static_cast<uint16_t>(found.slots.tags[static_cast<unsigned>(table)]),
               .direction = Counter<3>(taken)};
      return;
    }
  }
  for (int table = first; table < kTables; ++table)
    --at(found, table).useful;
}

template <unsigned IndexBits>
void Tage<IndexBits>::ageUsefulness() {
  for (Entry &entry : entries_)
    entry.useful >>= 1;
}

template <unsigned IndexBits>
bool Tage<IndexBits>::mispredictsTarget(const BranchSite &branch, uint32_t target) {
  const auto &histories = history_.fingerprints();
  // Of the last 18, 49, 134 and 366 outcomes.
  const bool wrong = targets_.mispredicts(branch, target, {histories[3], histories[5], histories[7], histories[9]});
  history_.pushTarget(target);
  return wrong;
}

template <unsigned IndexBits>
uint64_t Tage<IndexBits>::storageBits() const {
  constexpr uint64_t kEntryBits = kTagBits + 3 + 2;
  return entries_.size() * kEntryBits + base_.size() * 2 + targets_.storageBits();
}

std::unique_ptr<Predictor> createTage(std::optional<uint32_t> learntPeriod) {
  if (!learntPeriod)
    return std::make_unique<Tage<10>>();
  // The longest periods of which fewer than a twentieth is mispredicted: predictor_test.cpp measures them.
  if (*learntPeriod <= 512)
    return std::make_unique<Tage<6>>();
  if (*learntPeriod <= 2048)
    return std::make_unique<Tage<7>>();
  if (*learntPeriod <= 8192)
    return std::make_unique<Tage<9>>();
  if (*learntPeriod <= 32768)
    return std::make_unique<Tage<11>>();
  return std::make_unique<Tage<12>>();
}

} // namespace mca

// Fills the table of transitions on demand.
#include "mca-core/engine/resource_automaton.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>

namespace mca {
namespace {

uint64_t hashOf(std::span<const uint64_t> words) {
  return llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(words.data()), words.size_bytes()});
}

} // namespace

void WordTable::clear() {
  data_.clear();
  hashes_.clear();
  table_.assign(16, kNone);
}

uint32_t WordTable::add(std::span<const uint64_t> sequence) {
  if (hashes_.size() * 2 >= table_.size())
    grow();
  const uint64_t hash = hashOf(sequence);
  uint32_t &place = placeOf(hash, sequence);
  if (place == kNone) {
    place = static_cast<uint32_t>(hashes_.size());
    hashes_.push_back(hash);
    data_.insert(data_.end(), sequence.begin(), sequence.end());
  }
  return place;
}

/// Returns the hash table's entry for the sequence.
uint32_t &WordTable::placeOf(uint64_t hash, std::span<const uint64_t> sequence) {
  const size_t mask = table_.size() - 1;
  for (size_t place = hash & mask;; place = (place + 1) & mask) {
    const uint32_t number = table_[place];
    if (number == kNone || (hashes_[number] == hash && std::ranges::equal((*this)[number], sequence)))
      return table_[place];
  }
}

void WordTable::grow() {
  table_.assign(table_.size() * 2, kNone);
  const size_t mask = table_.size() - 1;
  for (uint32_t number = 0; number < hashes_.size(); ++number) {
    size_t place = hashes_[number] & mask;
    while (table_[place] != kNone)
      place = (place + 1) & mask;
    table_[place] = number;
  }
}

void ResourceAutomaton::clear() {
  states_.clear();
  transitions_.clear();
  granted_.clear();
  scratch_.resize(rules_.words());
  rules_.start(scratch_);
  number(scratch_);
}

uint32_t ResourceAutomaton::clearBut(uint32_t kept) {
  const auto words = states_[kept];
  const std::vector<uint64_t> state(words.begin(), words.end());
  clear();
  return number(state);
}

uint32_t ResourceAutomaton::stepOf(const ResourceRequest &request) {
  const auto known = std::find(requests_.begin(), requests_.end(), request);
  const auto step = static_cast<uint32_t>(1 + 2 * (known - requests_.begin()));
  if (known != requests_.end())
    return step;
  requests_.push_back(request);
  if (step + 1 < 1u << rowBits_)
    return step;
  // Doubles the length of the table's rows.
  std::vector<Transition> longer(transitions_.size() * 2);
  for (size_t state = 0; state < states_.size(); ++state)
    std::copy_n(transitions_.begin() + static_cast<ptrdiff_t>(state << rowBits_), 1 << rowBits_,
                longer.begin() + static_cast<ptrdiff_t>(state << (rowBits_ + 1)));
  transitions_ = std::move(longer);
  ++rowBits_;
  return step;
}

/// Returns the number of a state, and adds it if it is new.
uint32_t ResourceAutomaton::number(std::span<const uint64_t> state) {
  const uint32_t number = states_.add(state);
  if (const size_t needed = states_.size() << rowBits_; transitions_.size() < needed)
    transitions_.resize(needed);
  return number;
}

void ResourceAutomaton::compute(uint32_t state, uint32_t step) {
  Transition transition;
  scratch_.assign(states_[state].begin(), states_[state].end());
  if (step != kCycle && step % 2 == 0) {
    const Missing missing = rules_.missing(scratch_, requests_[step / 2 - 1]);
    transition.next = missing.question;
    transition.ready = missing.mask;
  } else {
    effects_.granted.clear();
    effects_.toggledBuffers = 0;
    effects_.released = false;
    if (step == kCycle)
      rules_.advance(scratch_, effects_);
    else
      rules_.issue(scratch_, requests_[step / 2], effects_);
    transition.next = number(scratch_);
    transition.ready = rules_.ready(scratch_);
    transition.idle = rules_.nextRelease(scratch_) == 0;
    transition.toggledBuffers = effects_.toggledBuffers;
    transition.released = effects_.released;
    transition.firstGranted = static_cast<uint32_t>(granted_.size());
    transition.grantedCount = static_cast<uint16_t>(effects_.granted.size());
    transition.slot = effects_.granted.empty() ? uint16_t(0) : effects_.granted.front().slot;
    granted_.insert(granted_.end(), effects_.granted.begin(), effects_.granted.end());
  }
  transitions_[size_t(state) << rowBits_ | step] = transition;
}

} // namespace mca

// Fills the table of transitions on demand.
#include "mca-core/engine/resource_automaton.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>

namespace mca {

size_t ResourceAutomaton::StateHash::operator()(const State &state) const {
  return llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(state.data()), state.size() * sizeof(uint64_t)});
}

/// Drops all states but the first, in which everything is free. Requests keep their steps, which callers have stored.
void ResourceAutomaton::clear() {
  states_.clear();
  hashes_.clear();
  numbers_.clear();
  transitions_.clear();
  granted_.clear();
  scratch_.resize(rules_.words());
  rules_.start(scratch_);
  number(scratch_);
}

uint32_t ResourceAutomaton::clearBut(uint32_t kept) {
  const State state = *states_[kept];
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
uint32_t ResourceAutomaton::number(const State &state) {
  const auto [entry, isNew] = numbers_.try_emplace(state, static_cast<uint32_t>(states_.size()));
  if (isNew) {
    states_.push_back(&entry->first);
    hashes_.push_back(StateHash()(entry->first));
  }
  if (const size_t needed = states_.size() << rowBits_; transitions_.size() < needed)
    transitions_.resize(needed);
  return entry->second;
}

void ResourceAutomaton::compute(uint32_t state, uint32_t step) {
  Transition transition;
  scratch_ = *states_[state];
  if (step != kCycle && step % 2 == 0) {
    const Missing missing = rules_.missing(scratch_, requests_[step / 2 - 1]);
    transition.next = missing.failedCheck;
    transition.ready = missing.mask;
  } else {
    ResourceEffects effects;
    if (step == kCycle)
      rules_.advance(scratch_, effects);
    else
      rules_.issue(scratch_, requests_[step / 2], effects);
    transition.next = number(scratch_);
    transition.ready = rules_.ready(scratch_);
    transition.idle = rules_.nextRelease(scratch_) == 0;
    transition.toggledBuffers = effects.toggledBuffers;
    transition.released = effects.released;
    transition.firstGranted = static_cast<uint32_t>(granted_.size());
    transition.grantedCount = static_cast<uint16_t>(effects.granted.size());
    transition.slot = effects.granted.empty() ? uint16_t(0) : effects.granted.front().slot;
    granted_.insert(granted_.end(), effects.granted.begin(), effects.granted.end());
  }
  transitions_[size_t(state) << rowBits_ | step] = transition;
}

} // namespace mca

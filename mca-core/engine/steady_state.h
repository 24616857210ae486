// The steady state: once the machine returns to an earlier state, the rest of the run is computed.
//
// A machine's next cycles depend only on its state, relative to the current cycle and instance, and on whether
// instructions are left to fetch. If the states at the start of two cycles are equal, and the source still holds more
// than the instructions fetched in between, then everything in between repeats exactly. The run skips whole periods:
// each counter grows by its growth over one period times the number of periods skipped. The remaining instructions are
// simulated to the end, so that the machine drains as it would have.
//
// This needs every fact that a later cycle reads to be in the description, in relative form, and clamped if larger
// values make no difference. A missing fact makes results wrong; a needless one only delays the repetition.
//
// States are compared completely, word by word; a fingerprint only selects the candidates. The state is compared in
// every iteration, but copied less often, so that copying costs less than simulating. A period is therefore found at
// its first repetition after the first copy inside it. docs/engine.md proves that the result is exact.
#pragma once

#include "mca-core/engine/machine.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mca {

/// The throughput of a machine: instances per cycles. No instances: unknown.
struct InstanceRate {
  uint64_t cycles = 0;
  uint64_t instances = 0;
  bool isMeasured = false; ///< over a run that does not repeat
};

/// Measures the rate over the later half of a run that does not repeat. The first half is left out because the machine
/// fills its buffers then.
class LaterHalf {
public:
  explicit LaterHalf(uint64_t instances) : half_(instances / 2) {}
  /// `passed`: instances that have gone through the machine so far; never decreases.
  void record(int64_t now, uint64_t passed) {
    if (passed < half_)
      return;
    const InstanceRate total{static_cast<uint64_t>(now), passed};
    if (!begin_)
      begin_ = total;
    rate_ = {total.cycles - begin_->cycles, total.instances - begin_->instances, /*isMeasured=*/true};
  }
  InstanceRate rate() const { return rate_; }

private:
  uint64_t half_;
  std::optional<InstanceRate> begin_; ///< cycles and instances at the start of the later half
  InstanceRate rate_;
};

/// Copies the words of a state.
class StateWriter {
public:
  explicit StateWriter(std::vector<uint64_t> &words) : words_(words) {}
  template <typename... Words>
  bool operator()(Words... words) {
    (words_.push_back(static_cast<uint64_t>(words)), ...);
    return true;
  }

private:
  std::vector<uint64_t> &words_;
};

/// Compares a state with a copy, up to the first difference. States of different lengths must differ before the shorter
/// one ends, because the comparison does not know where the copy ends: a count comes before what it counts.
class StateComparer {
public:
  explicit StateComparer(const uint64_t *words) : next_(words) {}
  template <typename... Words>
  bool operator()(Words... words) {
    return ((*next_++ == static_cast<uint64_t>(words)) && ...);
  }

private:
  const uint64_t *next_;
};

/// Hashes the words of a state.
class StateHasher {
public:
  template <typename... Words>
  bool operator()(Words... words) {
    (add(static_cast<uint64_t>(words)), ...);
    return true;
  }
  uint64_t hash() const { return hash_; }

private:
  void add(uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15ull;
    hash_ ^= hash_ >> 32;
  }

  uint64_t hash_ = 0;
};

/// The search of one run. `Events` are the machine's.
template <typename Events>
class SteadyState {
  /// The counters at some point of a run.
  struct Mark {
    typename Events::Mark events;
    std::vector<uint32_t> units; ///< see ResourceState::mark()
  };

public:
  struct Period {
    const Mark *since = nullptr; ///< the counters at its start; null if nothing repeats
    InstanceRate rate;
  };
  /// How far a run has come.
  struct Progress {
    int64_t now = 0;       ///< the cycle
    uint64_t fetched = 0;  ///< instances fetched so far
    uint64_t inFlight = 0; ///< those of them not retired
  };

  void reset(const MachineOptions &options, uint64_t iterations) {
    isSearching_ = options.steadyState && iterations > 1;
    rateSearchLimit_ = options.rateSearchLimit;
    rate_ = {};
    clear();
  }
  /// Whether the run may still skip periods. It does so at most once.
  bool isSearching() const { return isSearching_; }
  /// The rate of the period that the run found within MachineOptions::rateSearchLimit, if any.
  InstanceRate rate() const { return rate_; }

  /// Searches for the current state among the copies, and may copy it. `describe(sink)` passes its words to a sink.
  /// `Units`: what counts the use of units, such as ResourceState.
  template <typename Units, typename Describe>
  Period search(uint64_t fingerprint, const Progress &progress, Events &events, const Units &units, Describe describe) {
    const size_t place = fingerprint % kTable;
    size_t candidates = 0;
    std::optional<uint64_t> hash;
    for (uint32_t i = table_[place]; i != kNone; i = copies_[i].next) {
      const Copy &copy = copies_[i];
      if (copy.fingerprint != fingerprint)
        continue;
      if (++candidates > kComparedAtOnce) {
        if (!hash)
          hash = hashOf(describe);
        if (*hash != hashOf(i))
          continue;
      }
      StateComparer comparer(words_.data() + copy.words);
      if (describe(comparer))
        return {&marks_[i], {static_cast<uint64_t>(progress.now - copy.now), progress.fetched - copy.fetched}};
    }
    const bool wasSeen = std::exchange(seen_[place], fingerprint) == fingerprint;
    const uint64_t distance = wasSeen ? progress.inFlight / kEagerFactor : progress.inFlight;
    if (!copies_.empty() && progress.fetched - copies_.back().fetched < distance)
      return {};
    if (words_.size() + markedWords_ > kMaxWords)
      clear(); // no repetition for a long time: start over
    const auto number = static_cast<uint32_t>(copies_.size());
    if (number == marks_.size())
      marks_.emplace_back();
    events.mark(marks_[number].events);
    units.mark(marks_[number].units);
    markedWords_ += marks_[number].units.size() / 2;
    copies_.push_back({fingerprint, progress.now, progress.fetched, words_.size(), table_[place], {}});
    table_[place] = number;
    StateWriter writer(words_);
    describe(writer);
    return {};
  }

  /// Skips as many whole periods as the source holds, and repeats the counters of `events` and `units` accordingly.
  /// `oldest`: oldest instance in flight. `fetched`: next instance to fetch. `last`: end of the source, which is
  /// lowered. The search continues if nothing repeats, or if the watched instances have neither all retired nor can be
  /// extrapolated within the skipped periods.
  template <typename Units>
  void skip(const Period &period, Events &events, Units &units, uint64_t oldest, uint64_t fetched, uint64_t &last) {
    if (!period.since)
      return;
    // A repetition after the source ran dry is no period of the endless loop.
    if (fetched < std::min(last, rateSearchLimit_))
      rate_ = period.rate;
    // At least one instruction must remain after the last period, so that the source does not run dry earlier than
    // before.
    const uint64_t times = fetched < last ? (last - 1 - fetched) / period.rate.instances : 0;
    if (oldest < events.watched()) {
      if (!events.canExtrapolate() || events.watched() > oldest + times * period.rate.instances)
        return;
      events.extrapolate(period.since->events, period.rate.instances);
    }
    if (times) {
      last -= times * period.rate.instances;
      events.repeat(period.since->events, times);
      units.repeat(period.since->units, times);
    }
    isSearching_ = false;
  }

private:
  static constexpr size_t kTable = 256;
  /// Copies are taken this many times as often if a fingerprint has been seen before.
  static constexpr uint64_t kEagerFactor = 2;
  /// The first candidates are compared at once: a comparison mostly ends early. If states agree in their fingerprint
  /// and in most of their words, the further ones are compared by hash first, so that each search reads each word once.
  static constexpr size_t kComparedAtOnce = 4;
  static constexpr size_t kMaxWords = 4 << 20;
  static constexpr uint32_t kNone = ~0u;

  struct Copy {
    uint64_t fingerprint;
    int64_t now;
    uint64_t fetched;
    size_t words;                 ///< index of its first word
    uint32_t next;                ///< next copy in the same bucket of the table
    std::optional<uint64_t> hash; ///< of its words, once it is needed
  };
  template <typename Describe>
  static uint64_t hashOf(const Describe &describe) {
    StateHasher hasher;
    describe(hasher);
    return hasher.hash();
  }
  uint64_t hashOf(uint32_t number) {
    Copy &copy = copies_[number];
    if (!copy.hash) {
      const size_t end = number + 1 < copies_.size() ? copies_[number + 1].words : words_.size();
      StateHasher hasher;
      for (size_t i = copy.words; i != end; ++i)
        hasher(words_[i]);
      copy.hash = hasher.hash();
    }
    return *copy.hash;
  }
  void clear() {
    copies_.clear();
    words_.clear();
    markedWords_ = 0;
    table_.fill(kNone);
    seen_.fill(0);
  }

  bool isSearching_ = false;
  uint64_t rateSearchLimit_ = 0; ///< instances
  InstanceRate rate_;
  std::vector<Copy> copies_;
  std::vector<uint64_t> words_;
  std::vector<Mark> marks_; ///< by copy; they keep their memory between runs, so there may be more of them than copies
  size_t markedWords_ = 0;
  std::array<uint32_t, kTable> table_{}; ///< by fingerprint: the first copy of the bucket
  std::array<uint64_t, kTable> seen_{};  ///< by bucket: the last fingerprint, copied or not
};

} // namespace mca

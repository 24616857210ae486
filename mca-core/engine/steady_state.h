// The steady state: once the machine returns to an earlier state, the rest of the run is computed.
//
// A machine's next cycles depend only on its state, relative to the current cycle and instance, and on whether
// instructions are left to fetch. If the states at the start of two cycles are equal, and the source still holds more
// than the instructions fetched in between, then everything in between repeats exactly. The run skips whole periods:
// each counter grows by its growth over one period times the number of periods skipped. The remaining instructions are
// simulated to the end, so that the machine drains as it would have.
//
// States are compared completely, word by word; a fingerprint only selects the candidates. The state is compared in
// every iteration, but copied less often, so that copying costs less than simulating. A period is therefore found at
// its first repetition after the first copy inside it. docs/engine.md proves that the result is exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mca {

/// The throughput of a machine: instances per cycles. No instances: unknown.
struct InstanceRate {
  uint64_t cycles = 0;
  uint64_t instances = 0;
};

/// Measures the rate over the later half of a run that does not repeat.
class LaterHalf {
public:
  explicit LaterHalf(uint64_t instances) : half_(instances / 2) {}
  /// `passed`: instances that have gone through the machine so far; never decreases.
  void record(int64_t now, uint64_t passed) {
    if (passed < half_)
      return;
    if (!begun_) {
      begun_ = true;
      since_ = now;
      first_ = passed;
    }
    rate_ = {static_cast<uint64_t>(now - since_), passed - first_};
  }
  InstanceRate rate() const { return rate_; }

private:
  uint64_t half_;
  bool begun_ = false;
  int64_t since_ = 0;
  uint64_t first_ = 0;
  InstanceRate rate_;
};

/// Copies the words of a state.
class StateWriter {
public:
  explicit StateWriter(std::vector<uint64_t> &words) : words_(words) {}
  bool operator()(uint64_t word) {
    words_.push_back(word);
    return true;
  }

private:
  std::vector<uint64_t> &words_;
};

/// Compares a state with a copy, up to the first difference.
class StateComparer {
public:
  explicit StateComparer(const uint64_t *words) : next_(words) {}
  bool operator()(uint64_t word) { return *next_++ == word; }

private:
  const uint64_t *next_;
};

template <typename Mark>
class SteadyState {
public:
  struct Period {
    const Mark *since = nullptr; ///< the counters at its start; null if nothing repeats
    InstanceRate rate;
  };

  void reset() {
    copies_.clear();
    words_.clear();
    marks_ = markedWords_ = 0;
    table_.assign(kTable, kNone);
    seen_.fill(0);
  }

  /// Searches for the current state among the copies, and may copy it. `describe(sink)` passes its words to a sink;
  /// `mark(Mark &)` copies the counters. `now`: the cycle. `fetched`: instructions fetched so far. `inFlight`: those
  /// not retired.
  template <typename Describe, typename TakeMark>
  Period search(uint64_t fingerprint, int64_t now, uint64_t fetched, uint64_t inFlight, Describe describe,
                TakeMark takeMark) {
    const size_t place = fingerprint % kTable;
    for (uint32_t i = table_[place]; i != kNone; i = copies_[i].next) {
      const Copy &copy = copies_[i];
      if (copy.fingerprint != fingerprint)
        continue;
      StateComparer comparer(words_.data() + copy.words);
      if (describe(comparer))
        return {&markStore_[copy.mark], {static_cast<uint64_t>(now - copy.now), fetched - copy.fetched}};
    }
    const bool wasSeen = std::exchange(seen_[place], fingerprint) == fingerprint;
    if (!copies_.empty() && fetched - copies_.back().fetched < (wasSeen ? inFlight / kEagerFactor : inFlight))
      return {};
    if (words_.size() + markedWords_ > kMaxWords)
      reset(); // no repetition for a long time: start over
    if (marks_ == markStore_.size())
      markStore_.emplace_back();
    takeMark(markStore_[marks_]);
    markedWords_ += markStore_[marks_].words();
    copies_.push_back({fingerprint, now, fetched, words_.size(), marks_++, table_[place]});
    table_[place] = static_cast<uint32_t>(copies_.size() - 1);
    StateWriter writer(words_);
    describe(writer);
    return {};
  }

private:
  static constexpr size_t kTable = 256;
  static constexpr uint64_t kEagerFactor =
      2; ///< copies are taken this many times as often if a fingerprint has been seen before
  static constexpr size_t kMaxWords = 4 << 20;
  static constexpr uint32_t kNone = ~0u;

  struct Copy {
    uint64_t fingerprint;
    int64_t now;
    uint64_t fetched;
    size_t words; ///< index of its first word
    size_t mark;
    uint32_t next; ///< next copy in the same bucket of the table
  };
  std::vector<Copy> copies_;
  std::vector<uint64_t> words_;
  std::vector<Mark> markStore_; // marks keep their memory between runs
  size_t marks_ = 0, markedWords_ = 0;
  std::vector<uint32_t> table_;
  std::array<uint64_t, kTable> seen_{}; // by bucket: the last fingerprint, copied or not
};

/// The counters at some point of a run.
template <typename Events>
struct MachineMark {
  typename Events::Mark events;
  std::vector<uint32_t> units; ///< see ResourceState::mark()

  size_t words() const { return units.size() / 2; }
};

/// Skips as many whole periods as the source holds, and repeats the counters of `events` and `resources` accordingly.
/// `oldest`: oldest instance in flight. `fetched`: next instance to fetch. `last`: end of the source, which is lowered.
/// Returns false if the search must continue: nothing repeats, or the watched instances have neither all retired nor
/// can be extrapolated within the skipped periods.
template <typename Mark, typename Events, typename Resources>
bool skipPeriods(SteadyState<Mark> &steady, const typename SteadyState<Mark>::Period &period, Events &events,
                 Resources &resources, uint64_t oldest, uint64_t fetched, uint64_t &last) {
  if (!period.since)
    return false;
  // At least one instruction must remain after the last period, so that the source does not run dry earlier than
  // before.
  const uint64_t times = fetched < last ? (last - 1 - fetched) / period.rate.instances : 0;
  if (oldest < events.watched()) {
    if (!events.canExtrapolate() || events.watched() > oldest + times * period.rate.instances)
      return false;
    events.extrapolate(period.since->events, period.rate.instances);
  }
  if (times) {
    last -= times * period.rate.instances;
    events.repeat(period.since->events, times);
    resources.repeat(period.since->units, times);
  }
  return true;
}

} // namespace mca

// The steady state: when the machine is again in a state that it was in before, the rest of the run is computed.
//
// A machine's next cycles depend on its state alone, with instances and cycles counted from the present ones, and on
// whether instructions are left to fetch. When the state at the start of a cycle equals that of an earlier cycle, and
// the source holds more than a period of instructions, everything that happened in between happens again, exactly. The
// run then skips whole periods: every count grows by its growth over one period times the periods skipped, and the
// instructions that are left are simulated to the end, with the machine running dry as it would have.
//
// States are compared whole, word by word. A fingerprint of a few of them only says which to compare. Copies of the
// state are taken at distances that keep their cost below that of simulating, comparisons are made in each iteration:
// a period is found at its first repetition after the first copy inside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mca {

/// How fast instances pass through a machine. None without instances.
struct InstanceRate {
  uint64_t cycles = 0;
  uint64_t instances = 0;
};

/// The pace over the later half of a run, for one that does not repeat.
class LaterHalf {
public:
  explicit LaterHalf(uint64_t instances) : half_(instances / 2) {}
  /// `passed`: instances that have gone through the machine until now; never fewer than before.
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

/// Compares the words of a state with a copy, up to the first difference.
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
    const Mark *since = nullptr; ///< what was counted at its start; null when nothing repeats
    InstanceRate rate;
  };

  void reset() {
    copies_.clear();
    words_.clear();
    marks_ = markedWords_ = 0;
    table_.assign(kTable, kNone);
    seen_.fill(0);
  }

  /// Looks for the present state among earlier ones, and perhaps keeps it. `describe(sink)` passes its words to a
  /// sink, `mark(Mark &)` notes what is counted. `now`: the cycle. `fetched`: instructions so far. `inFlight`: those
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
      reset(); // nothing has repeated for very long: begin anew
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
  static constexpr uint64_t kEagerFactor = 2; ///< so many times sooner is a copy taken where something seems to repeat
  static constexpr size_t kMaxWords = 4 << 20;
  static constexpr uint32_t kNone = ~0u;

  struct Copy {
    uint64_t fingerprint;
    int64_t now;
    uint64_t fetched;
    size_t words; ///< where they begin
    size_t mark;
    uint32_t next; ///< of the same place in the table
  };
  std::vector<Copy> copies_;
  std::vector<uint64_t> words_;
  std::vector<Mark> markStore_; // marks keep their memory from run to run
  size_t marks_ = 0, markedWords_ = 0;
  std::vector<uint32_t> table_;
  std::array<uint64_t, kTable> seen_{}; // fingerprints, copied or not
};

/// A position in a machine's time: what was counted up to there.
template <typename Events>
struct MachineMark {
  typename Events::Mark events;
  std::vector<uint32_t> units; ///< see ResourceState::mark()

  size_t words() const { return units.size() / 2; }
};

/// Skips as many whole periods as the source holds, and tells `events` and `resources` that they happened. `oldest` is
/// the oldest instance in flight, `fetched` the next to be fetched, `last` the end of the source, which comes nearer.
/// Returns false when the search has to go on: nothing repeats, or what is watched one by one has neither passed yet
/// nor can be foretold, all of it in what is skipped.
template <typename Mark, typename Events, typename Resources>
bool skipPeriods(SteadyState<Mark> &steady, const typename SteadyState<Mark>::Period &period, Events &events,
                 Resources &resources, uint64_t oldest, uint64_t fetched, uint64_t &last) {
  if (!period.since)
    return false;
  // The source must not run dry where it did not before: one instruction at least is left behind the last period.
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

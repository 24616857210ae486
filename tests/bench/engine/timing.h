// Times and what is made of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace bench {

/// Processor time of this thread, in seconds: a busy machine disturbs it less than the clock on the wall.
inline double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// What it costs to read the clock: a microsecond on some machines, as much as a short body at one iteration.
inline double clockSeconds() {
  static const double cost = [] {
    double least = 1;
    for (int i = 0; i < 1000; ++i) {
      const double begin = processorSeconds();
      least = std::min(least, processorSeconds() - begin);
    }
    return least;
  }();
  return cost;
}

template <typename Work>
double secondsOf(Work work) {
  const double clock = clockSeconds(), begin = processorSeconds();
  work();
  return std::max(1e-9, processorSeconds() - begin - clock);
}

/// What takes less is repeated.
constexpr double kShortest = 3e-4;

/// Of one run of many: what is short is repeated until the clock's own time does not matter.
template <typename Work>
double secondsOfRepeated(Work work) {
  for (unsigned runs = 1;; runs *= 4) {
    const double seconds = secondsOf([&] {
      for (unsigned i = 0; i < runs; ++i)
        work();
    });
    if (seconds >= kShortest)
      return seconds / runs;
  }
}

inline double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Ratios, one a body.
class Ratios {
public:
  void add(double ratio) { values_.push_back(ratio); }
  bool empty() const { return values_.empty(); }
  size_t count() const { return values_.size(); }
  double geometricMean() const {
    double sum = 0;
    for (const double value : values_)
      sum += std::log(value);
    return std::exp(sum / double(values_.size()));
  }
  double mean() const {
    double sum = 0;
    for (const double value : values_)
      sum += value;
    return sum / double(values_.size());
  }
  double least() const { return *std::min_element(values_.begin(), values_.end()); }
  double most() const { return *std::max_element(values_.begin(), values_.end()); }

private:
  std::vector<double> values_;
};

} // namespace bench

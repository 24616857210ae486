#include "analysis/profile/core_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace analysis {
namespace {

using Time = std::chrono::steady_clock;

constexpr int kRounds = 512, kLinks = 64; // of a chain: about ten microseconds
constexpr auto kSampling = std::chrono::milliseconds(2);
constexpr double kUnit = 1e7, kTolerance = 0.05, kMostOutside = 0.2;

/// Executes the chain. False if there is none for this CPU.
bool runChain() {
  uint64_t value = 3, other = 5;
  for (int i = 0; i < kRounds; ++i) {
#if defined(__x86_64__)
    asm volatile(".rept %c2\n\txorq %1, %0\n\t.endr" : "+r"(value) : "r"(other), "i"(kLinks) : "cc");
#elif defined(__aarch64__)
    asm volatile(".rept %c2\n\teor %0, %0, %1\n\t.endr" : "+r"(value) : "r"(other), "i"(kLinks));
#else
    return false;
#endif
  }
  return true;
}

} // namespace

void CoreClock::sample() {
  Time::duration least = Time::duration::max();
  for (const Time::time_point end = Time::now() + kSampling; Time::now() < end;) {
    const Time::time_point start = Time::now();
    if (!runChain())
      return;
    least = std::min(least, Time::now() - start);
  }
  add(kRounds * kLinks / std::chrono::duration<double>(least).count());
}

void CoreClock::add(double hertz) {
  samples_.push_back(hertz);
}

uint64_t CoreClock::hertz() const {
  if (samples_.empty())
    return 0;
  std::vector<double> sorted = samples_;
  std::ranges::sort(sorted);
  const double median = sorted[sorted.size() / 2];
  const auto outside =
      std::ranges::count_if(sorted, [&](double one) { return std::abs(one - median) > kTolerance * median; });
  if (static_cast<double>(outside) > kMostOutside * static_cast<double>(sorted.size()))
    return 0;
  return static_cast<uint64_t>(std::llround(median / kUnit) * std::llround(kUnit));
}

} // namespace analysis

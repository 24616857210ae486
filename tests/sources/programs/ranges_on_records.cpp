// Algorithms of ranges with projections and lambdas of several lines.
#include <algorithm>
#include <cstdint>
#include <vector>

struct Sample {
  uint32_t time;
  float level;
};

long loud(const std::vector<Sample> &samples, float limit) {
  return std::ranges::count_if(samples, [limit](float level) { return level > limit; }, &Sample::level); // hint
}

void clip(std::vector<Sample> &samples, float limit) {
  std::ranges::for_each(samples, [limit](Sample &sample) { // hint
    if (sample.level > limit)
      sample.level = limit;
  });
}

void levels(const std::vector<Sample> &samples, std::vector<float> &to) {
  std::ranges::transform(samples, to.begin(), [](const Sample &sample) { return sample.level * 2; }); // hint
}

const Sample *firstAfter(const std::vector<Sample> &samples, uint32_t time) {
  const auto at = std::ranges::lower_bound(samples, time, {}, &Sample::time); // hint
  return at == samples.end() ? nullptr : &*at;
}

#include "tests/differential/engine/shrink.h"

#include <algorithm>
#include <string_view>

namespace differential {
namespace {

class Shrinker {
public:
  Shrinker(EngineCase start, const std::function<bool(const EngineCase &)> &fails, unsigned tries)
      : best_(std::move(start)), fails_(fails), tries_(tries) {}

  EngineCase run() {
    lowerIterations();
    for (size_t before = 0; before != best_.lines.size();) {
      before = best_.lines.size();
      dropOptions();
      for (size_t count = (best_.lines.size() + 1) / 2; count; count /= 2)
        dropLines(count);
    }
    lowerIterations();
    return best_;
  }

private:
  bool accept(const EngineCase &candidate) {
    if (!tries_)
      return false;
    --tries_;
    if (!fails_(candidate))
      return false;
    best_ = candidate;
    return true;
  }

  void lowerIterations() {
    for (const uint32_t iterations : {1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 70, 120, 250, 600, 1500}) {
      EngineCase candidate = best_;
      candidate.options.iterations = iterations;
      if (iterations >= best_.options.iterations || accept(candidate))
        return;
    }
  }

  void dropOptions() {
    for (const EngineOption &option : engineOptions()) {
      const int64_t standard = valueOf({}, option);
      EngineCase candidate = best_;
      setValue(candidate.options, option, standard);
      if (std::string_view(option.name) != "iterations" && valueOf(best_.options, option) != standard)
        accept(candidate);
    }
  }

  void dropLines(size_t count) {
    for (size_t begin = 0; begin < best_.lines.size() && best_.lines.size() > 1;) {
      EngineCase candidate = best_;
      const size_t end = std::min(begin + count, candidate.lines.size());
      candidate.lines.erase(candidate.lines.begin() + static_cast<ptrdiff_t>(begin),
                            candidate.lines.begin() + static_cast<ptrdiff_t>(end));
      if (candidate.lines.empty() || !accept(candidate))
        begin = end;
    }
  }

  EngineCase best_;
  const std::function<bool(const EngineCase &)> &fails_;
  unsigned tries_;
};

} // namespace

EngineCase shrinkCase(EngineCase engineCase, const std::function<bool(const EngineCase &)> &fails, unsigned tries) {
  return Shrinker(std::move(engineCase), fails, tries).run();
}

} // namespace differential

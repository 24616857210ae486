// Threads take groups of numbers from a counter, as items differ in cost: equal shares would leave threads idle.
#include "analysis/simulate/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace analysis {

void forEachInParallel(size_t count, size_t threads, llvm::function_ref<void(size_t)> work, size_t atATime) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t first = next.fetch_add(atATime); first < count; first = next.fetch_add(atATime))
      for (size_t i = first; i != std::min(first + atATime, count); ++i)
        work(i);
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min(threads, count / atATime); ++i)
    try {
      others.emplace_back(run);
    } catch (const std::system_error &) {
      break; // the work only takes longer
    }
  run();
  for (std::thread &other : others)
    other.join();
}

} // namespace analysis

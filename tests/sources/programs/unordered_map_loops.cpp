// Hash tables: all entries, and a search in one bucket.
#include <unordered_map>

long total(const std::unordered_map<int, long> &counts) {
  long sum = 0;
  for (const auto &entry : counts) // hint
    sum += entry.second;
  return sum;
}

bool has(const std::unordered_map<int, long> &counts, int key) {
  return counts.contains(key); // hint?
}

long totalOf(const std::unordered_map<int, long> &counts, const int *keys, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) { // hint?
    const auto found = counts.find(keys[i]); // hint?
    if (found != counts.end())
      sum += found->second;
  }
  return sum;
}

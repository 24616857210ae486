// Trees: each step is a call into the library, a search is a loop of its own.
#include <map>

long total(const std::map<int, long> &counts) {
  long sum = 0;
  for (const auto &[key, count] : counts) // hint
    sum += key * count;
  return sum;
}

const long *find(const std::map<int, long> &counts, int key) {
  const auto found = counts.find(key); // hint
  return found == counts.end() ? nullptr : &found->second;
}

int between(const std::map<int, long> &counts, int low, int high) {
  int found = 0;
  for (auto it = counts.lower_bound(low); it != counts.end() && it->first < high; ++it) // hint
    ++found;
  return found;
}

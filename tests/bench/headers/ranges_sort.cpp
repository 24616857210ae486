#include <algorithm>
#include <numeric>
#include <ranges>
#include <string>
#include <unordered_map>
#include <vector>
void order(std::vector<std::string> &names) {
  std::ranges::sort(names, {}, &std::string::size);
}
long total(const std::vector<int> &v) {
  long sum = 0;
  for (int x : v)
    sum += x;
  return sum;
}

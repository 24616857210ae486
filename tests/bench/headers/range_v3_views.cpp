#include <range/v3/view/stride.hpp>
#include <range/v3/view/transform.hpp>
#include <vector>
int strided(const std::vector<int> &v) {
  int sum = 0;
  for (int x : v | ranges::views::stride(3) | ranges::views::transform([](int x) { return 2 * x; }))
    sum += x;
  return sum;
}

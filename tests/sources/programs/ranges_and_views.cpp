// Views that are looped over, and algorithms on whole ranges.
#include <algorithm>
#include <ranges>
#include <vector>

int sumOfSquaresOfOdds(const std::vector<int> &values) {
  int sum = 0;
  for (const int square : values | std::views::filter([](int v) { return v % 2 != 0; }) // hint
                              | std::views::transform([](int v) { return v * v; }))
    sum += square;
  return sum;
}

int sumOfFirst(const std::vector<int> &values, int count) {
  int sum = 0;
  for (const int value : values | std::views::take(count)) // hint
    sum += value;
  return sum;
}

unsigned triangle(unsigned last) {
  unsigned sum = 0;
  for (const unsigned value : std::views::iota(1u, last)) // hint
    sum ^= value * value;
  return sum;
}

long countOf(const std::vector<int> &values, int wanted) {
  return std::ranges::count(values, wanted); // hint
}

struct Item {
  int weight;
  int price;
};

int cheapest(const std::vector<Item> &items) {
  return std::ranges::min_element(items, {}, &Item::price)->weight; // hint
}

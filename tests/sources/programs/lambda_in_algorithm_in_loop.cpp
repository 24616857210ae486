// A loop in a lambda in an algorithm in a loop.
#include <algorithm>
#include <vector>

using Row = std::vector<int>;

long weigh(const std::vector<Row> &rows, int turns) {
  long total = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    std::for_each(rows.begin(), rows.end(), [&](const Row &row) { // hint?
      for (const int value : row) // hint
        total += value % turn;
    });
  }
  return total;
}

int rowsWith(const std::vector<Row> &rows, int wanted) {
  int found = 0;
  for (const Row &row : rows) {
    found += std::any_of(row.begin(), row.end(), [wanted](int value) { // hint
      return value * value == wanted;
    });
  }
  return found;
}

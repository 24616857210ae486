// Linked lists of the library, and the loop that takes one apart at the end of its scope.
#include <list>
#include <utility>

int sum(const std::list<int> &values) {
  int result = 0;
  for (const int value : values) // hint
    result += value;
  return result;
}

int removeNegatives(std::list<int> &values) {
  int removed = 0;
  for (auto it = values.begin(); it != values.end();) { // hint
    if (*it < 0) {
      it = values.erase(it);
      ++removed;
    } else {
      ++it;
    }
  }
  return removed;
}

int consume(std::list<int> &&values) {
  const std::list<int> taken = std::move(values);
  return taken.empty() ? 0 : taken.front();
} // hint

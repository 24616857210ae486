// A queue in pieces: its iterator checks at each step whether the next piece begins.
#include <deque>

int sum(const std::deque<int> &values) {
  int result = 0;
  for (const int value : values) // hint
    result += value;
  return result;
}

int byIndex(const std::deque<short> &values) {
  int result = 0;
  for (unsigned i = 0; i < values.size(); ++i) // hint
    result ^= values[i];
  return result;
}

int drain(std::deque<int> &queue) {
  int sum = 0;
  while (!queue.empty()) { // hint
    sum += queue.front();
    queue.pop_front();
  }
  return sum;
}

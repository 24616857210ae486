// Several names in a loop's head.
#include <utility>
#include <vector>

struct Span {
  int begin;
  int end;
};

int covered(const std::vector<Span> &spans) {
  int length = 0;
  for (const auto &[begin, end] : spans) // hint
    length += end - begin;
  return length;
}

void swapAll(std::vector<std::pair<float, float>> &pairs) {
  for (auto &[first, second] : pairs) // hint
    std::swap(first, second);
}

int firstGap(const Span *spans, int count) {
  for (int i = 1; i < count; ++i) // hint
    if (const auto [begin, end] = spans[i]; begin > spans[i - 1].end && end > begin)
      return i;
  return -1;
}

// Owners: of an array, and of nodes that are released one after the other.
#include <memory>
#include <utility>

struct Node {
  std::unique_ptr<Node> next;
  int value;
};

int sum(const std::unique_ptr<int[]> &values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) // hint
    result += values[static_cast<unsigned>(i)];
  return result;
}

int length(const std::unique_ptr<Node> &list) {
  int count = 0;
  for (const Node *node = list.get(); node; node = node->next.get()) // hint
    ++count;
  return count;
}

void release(std::unique_ptr<Node> list) {
  while (list) // hint
    list = std::move(list->next);
}

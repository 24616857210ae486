// Loops around atomic operations: until an exchange succeeds, and until a flag is set.
#include <atomic>

float addTo(std::atomic<float> &sum, float value) {
  float seen = sum.load(std::memory_order_relaxed);
  while (!sum.compare_exchange_weak(seen, seen + value, std::memory_order_relaxed)) // hint
    ;
  return seen;
}

void waitFor(const std::atomic<int> &ready, int generation) {
  while (ready.load(std::memory_order_acquire) != generation) { // hint
  }
}

struct Node {
  Node *next;
};

void push(std::atomic<Node *> &top, Node *node) {
  node->next = top.load();
  do { // hint
  } while (!top.compare_exchange_weak(node->next, node));
}

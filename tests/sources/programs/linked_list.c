// Each turn waits for the pointer that the last one loaded.
struct Node {
  struct Node *next;
  int key;
  int value;
};

const struct Node *find(const struct Node *node, int key) {
  while (node && node->key != key) // hint
    node = node->next;
  return node;
}

struct Node *reverse(struct Node *node) {
  struct Node *reversed = 0;
  while (node) { // hint
    struct Node *next = node->next;
    node->next = reversed;
    reversed = node;
    node = next;
  }
  return reversed;
}

// Recursion on lists and trees whose last call a compiler turns into a loop, beside loops of their own.
struct Node {
  int key;
  int count;
  const int *values;
  const Node *left;
  const Node *right;
};

const Node *find(const Node *node, int key) { // hint?
  if (!node || node->key == key)                              // hint?
    return node;                                              // hint?
  return find(key < node->key ? node->left : node->right, key); // hint?
}

int sumOf(const Node *node) {
  int sum = 0;
  for (int i = 0; i < node->count; ++i) // hint
    sum += node->values[i];
  return sum;
}

const Node *leftmost(const Node *node) {
  while (node->left) // hint
    node = node->left;
  return node;
}

int largestOnTheRight(const Node *node, int best) { // hint?
  if (!node)                                  // hint?
    return best;                              // hint?
  const int here = node->key > best ? node->key : best; // hint?
  return largestOnTheRight(node->right, here); // hint?
}

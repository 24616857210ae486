// A loop in a function that calls itself, from within the loop.
struct Tree {
  int value;
  int children;
  const struct Tree *const *child;
};

int sumOfTree(const struct Tree *tree) {
  int sum = tree->value;
  for (int i = 0; i < tree->children; ++i) // hint
    sum += sumOfTree(tree->child[i]);
  return sum;
}

int depthOfTree(const struct Tree *tree, int limit) {
  int deepest = 0;
  if (limit == 0)
    return 0;
  for (int i = 0; i < tree->children; ++i) { // hint
    const int depth = depthOfTree(tree->child[i], limit - 1);
    if (depth > deepest)
      deepest = depth;
  }
  return deepest + 1;
}

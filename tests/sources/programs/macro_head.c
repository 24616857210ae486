// Macros for the head of a loop: the body is the user's.
#define FOR_EACH(index, count) for (int index = 0; index < (count); ++index)
#define FOREVER for (;;)
#define FOR_LIST(node, list) for (const struct Node *node = (list); node; node = node->next)

struct Node {
  const struct Node *next;
  int value;
};

void scale(float *values, int count, float by) {
  FOR_EACH(i, count) { // hint
    values[i] *= by;
  }
}

int sumOfGrid(const int *grid, int width, int height) {
  int sum = 0;
  FOR_EACH(y, height)
    FOR_EACH(x, width) // hint
      sum += grid[y * width + x] >> 1;
  return sum;
}

int sumOfList(const struct Node *list) {
  int sum = 0;
  FOR_LIST(node, list) // hint
    sum += node->value;
  return sum;
}

unsigned untilOdd(const unsigned *values) {
  FOREVER { // hint
    if (*values & 1)
      return *values;
    ++values;
  }
}

// Macros within a loop: the loop is the user's, its body is the macros'.
#define CLAMP(value, low, high) ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define STEP(x) ((x) ^= (x) << 7, (x) ^= (x) >> 9)
#define STEPS(x) STEP(x), STEP(x), STEP(x)
#define WHILE_BODY(sum, list)                                                                                         \
  (sum) += *(list);                                                                                                    \
  ++(list)

void clampAll(float *values, int count) {
  for (int i = 0; i < count; ++i) // hint
    values[i] = CLAMP(values[i], -1.0f, 1.0f);
}

unsigned long long mixed(unsigned long long state, int turns) {
  for (int i = 0; i < turns; ++i) { // hint
    STEPS(state);
  }
  return state;
}

int sumToZero(const int *list) {
  int sum = 0;
  while (*list) { // hint
    WHILE_BODY(sum, list);
  }
  return sum;
}

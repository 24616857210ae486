// Calls through a pointer, and through a table of them.
typedef int (*Step)(int);

int iterate(Step step, int value, int turns) {
  for (int i = 0; i < turns; ++i) // hint
    value = step(value);
  return value;
}

int runAll(const Step *steps, const unsigned char *program, int count, int value) {
  while (count--) // hint
    value = steps[*program++](value);
  return value;
}

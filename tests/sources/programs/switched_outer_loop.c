// A condition that stays the same while the loop runs: a compiler may make a loop for each answer.
void update(float *values, const float *by, int count, int subtract) {
  for (int i = 0; i < count; ++i) // hint
    if (subtract)
      values[i] -= by[i];
    else
      values[i] *= by[i];
}

int total(const int *const *rows, const int *lengths, int count, int skip) {
  int sum = 0;
  for (int y = 0; y < count; ++y) { // hint?
    if (skip)
      continue;
    for (int x = 0; x < lengths[y]; ++x) // hint
      sum += rows[y][x];
  }
  return sum;
}

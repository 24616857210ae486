// Arrays whose size is known at run time only, as parameters and on the stack.
void transpose(int rows, int columns, float to[restrict columns][rows], float from[restrict rows][columns]) {
  for (int i = 0; i < rows; ++i) // hint?
    for (int j = 0; j < columns; ++j) // hint
      to[j][i] = from[i][j];
}

int mostFrequent(int kinds, int count, const int sample[count]) {
  int times[kinds];
  for (int k = 0; k < kinds; ++k) // hint?
    times[k] = 0;
  for (int i = 0; i < count; ++i) // hint
    ++times[sample[i]];
  int best = 0;
  for (int k = 1; k < kinds; ++k) // hint
    if (times[k] > times[best])
      best = k;
  return best;
}

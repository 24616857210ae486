// Line numbers that are not the file's own: beyond its end first, and then those of other lines.
#line 100
int beyond(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

int stillBeyond(const int *values, int count) {
  int least = values[0];
  while (--count > 0) // hint
    least = values[count] < least ? values[count] : least;
  return least;
}

#line 1
int overlapping(const int *values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) // hint
    result ^= values[i];
  return result;
}

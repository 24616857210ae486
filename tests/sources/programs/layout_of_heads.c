// Heads that are not where one looks for them.
int overSeveralLines(const int *values, int count, int stride) {
  int sum = 0;
  for (int i = 0; // hint
       i < count;
       i += stride)
    sum += values[i];
  return sum;
}

int keywordAlone(const int *values, int count) {
  int sum = 0;
  for // hint
  (
      int i = 0; i < count; ++i
  )
  {
    sum ^= values[i];
  }
  return sum;
}

int conditionBelow(const int *values) {
  int index = 0;
  while // hint
      (values[index] > 0 &&
       values[index] != 7)

    ++index;
  return index;
}

int insideCondition(const int *values, int count) {
  if (count > 2) for (int i = 0; i < count; ++i) // hint
    if (values[i] == 3) return i;
  else; else return 1;
  return -1;
}

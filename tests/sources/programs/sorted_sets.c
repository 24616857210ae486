// Sets as sorted arrays: merging, and searching by halves and by leaps.
int intersect(const unsigned *a, int countOfA, const unsigned *b, int countOfB, unsigned *to) {
  int count = 0, i = 0, j = 0;
  while (i < countOfA && j < countOfB) { // hint
    if (a[i] < b[j])
      ++i;
    else if (a[i] > b[j])
      ++j;
    else
      to[count++] = a[i], ++i, ++j;
  }
  return count;
}

int merge(const unsigned *a, const unsigned *endOfA, const unsigned *b, const unsigned *endOfB, unsigned *to) {
  unsigned *const begin = to;
  while (a != endOfA && b != endOfB) // hint
    *to++ = *a <= *b ? *a++ : *b++;
  while (a != endOfA) // hint?
    *to++ = *a++;
  while (b != endOfB) // hint?
    *to++ = *b++;
  return (int)(to - begin);
}

int lowerBound(const unsigned *values, int count, unsigned wanted) {
  int begin = 0;
  while (count > 0) { // hint
    const int half = count / 2;
    if (values[begin + half] < wanted) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

int gallop(const unsigned *values, int count, unsigned wanted) {
  int step = 1;
  while (step < count && values[step] < wanted) // hint
    step *= 2;
  int at = step / 2;
  while (at < count && values[at] < wanted) // hint
    ++at;
  return at;
}

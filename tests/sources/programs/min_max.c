// The least and the greatest at once: conditional moves, vector minima or branches, as the compiler likes.
struct Range {
  int least;
  int greatest;
};

struct Range rangeOf(const int *values, unsigned count) {
  struct Range range = {values[0], values[0]};
  for (unsigned i = 1; i < count; ++i) { // hint
    if (values[i] < range.least)
      range.least = values[i];
    if (values[i] > range.greatest)
      range.greatest = values[i];
  }
  return range;
}

double greatest(const double *values, unsigned count) {
  double best = values[0];
  for (unsigned i = 1; i < count; ++i) // hint
    best = values[i] > best ? values[i] : best;
  return best;
}

// Macros that hold a whole loop: it stands where the macro is used.
#define ADD_ALL(to, by, count)                                                                                        \
  for (int i = 0; i < (count); ++i)                                                                                    \
  (to)[i] += (by)[i]

#define SUM_INTO(sum, values, count)                                                                                  \
  do {                                                                                                                 \
    const int n = (count);                                                                                             \
    int i = 0;                                                                                                         \
    while (i < n)                                                                                                      \
      (sum) += (values)[i++];                                                                                          \
  } while (0)

void addBoth(float *to, const float *a, const double *b, int count) {
  ADD_ALL(to, a, count); // hint
  ADD_ALL(to, b, count); // hint
}

int sumOfBoth(const int *a, const int *b, int count) {
  int sum = 0;
  SUM_INTO(sum, a, count); // hint
  // hint below
  SUM_INTO(sum,
           b,
           count);
  return sum;
}

// Loops in lambdas, and lambdas in loops: captured, generic and handed on.
template <typename Function>
void repeat(int count, const Function &function) {
  for (int i = 0; i < count; ++i) // hint
    function(i);
}

void scale(float *values, int count, float by) {
  repeat(count, [=](int i) { values[i] *= by; });
}

int sum(const int *values, int count) {
  int result = 0;
  repeat(count, [&result, values](int i) { result += values[i]; });
  return result;
}

long bothSums(const int *ints, const short *shorts, int count) {
  const auto sumOf = [count](const auto *values) {
    long result = 0;
    for (int i = 0; i < count; ++i) // hint
      result += values[i];
    return result;
  };
  return sumOf(ints) * sumOf(shorts);
}

int applied(const int *values, int count, int factor) {
  const auto times = [factor](int value) { return value * factor; };
  int result = 0;
  for (int i = 0; i < count; ++i) // hint
    result ^= times(values[i]);
  return result;
}

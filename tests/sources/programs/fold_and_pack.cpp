// A loop for each argument, and a body that has one part for each.
template <typename... Arrays>
long sumOfAll(int count, const Arrays *...arrays) {
  long sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += (arrays[i] + ...);
  return sum;
}

template long sumOfAll(int, const int *);
template long sumOfAll(int, const int *, const short *, const long *);

template <typename... Arrays>
void clampAll(int count, int limit, Arrays *...arrays) {
  const auto clamp = [=](auto *array) {
    for (int i = 0; i < count; ++i) // hint
      if (array[i] > limit)
        array[i] = static_cast<decltype(array[i] + 0)>(limit);
  };
  (clamp(arrays), ...);
}

template void clampAll(int, int, int *, long *);

// One loop of a template, several times in the machine code: a value parameter, types, and a specialisation.
template <typename Number>
Number sum(const Number *values, int count) {
  Number result = 0;
  for (int i = 0; i < count; ++i) // hint
    result += values[i];
  return result;
}

template float sum(const float *, int);
template double sum(const double *, int);
template short sum(const short *, int);

template <int Stride>
long strided(const int *values, int count) {
  long result = 0;
  for (int i = 0; i < count; i += Stride) // hint
    result += values[i];
  return result;
}

template <>
long strided<0>(const int *values, int count) {
  long result = 0;
  while (count-- > 0) // hint
    result = result * 2 + values[0] % 7 + values[count];
  return result;
}

template long strided<1>(const int *, int);
template long strided<3>(const int *, int);

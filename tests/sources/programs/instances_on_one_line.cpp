// One template for several types: all instances of its loop stand on its line, wherever they are used.
#include <cstddef>
#include <cstdint>

template <class Value>
Value sum(const Value *values, std::size_t count) {
  Value result = 0;
  for (std::size_t i = 0; i < count; ++i) // hint
    result += values[i] * values[i];
  return result;
}

double all(const float *a, const double *b, const int32_t *c, const int8_t *d, std::size_t count) {
  return sum(a, count) + sum(b, count) + sum(c, count) + sum(d, count);
}

template <int Shift, class Value>
void shift(Value *values, std::size_t count) {
  for (Value *value = values; value != values + count; ++value) // hint
    *value = static_cast<Value>(*value << Shift);
}

void shiftBoth(uint8_t *bytes, uint32_t *words, std::size_t count) {
  shift<1>(bytes, count), shift<3>(words, count);
}

template <class... Values>
std::size_t longest(const Values *...texts) {
  std::size_t best = 0;
  const auto measure = [&](const auto *text) {
    std::size_t length = 0;
    while (text[length]) // hint
      ++length;
    best = length > best ? length : best;
  };
  (measure(texts), ...);
  return best;
}

std::size_t longestOf(const char *a, const char16_t *b, const char32_t *c) {
  return longest(a, b, c);
}

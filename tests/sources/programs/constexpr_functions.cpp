// Functions for the compiler's own use, called with values that only the run knows.
constexpr unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (; exponent > 0; --exponent) // hint
    result *= base;
  return result;
}

constexpr int length(const char *text) {
  int count = 0;
  while (text[count] != '\0') // hint?
    ++count;
  return count;
}

static_assert(power(3, 4) == 81 && length("four") == 4);

consteval int triangle(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i)
    sum += i;
  return sum;
}

unsigned powerAtRunTime(unsigned base, unsigned exponent) { return power(base, exponent) + triangle(9); }

int longer(const char *a, const char *b) { return length(a) > length(b) ? 1 : 2; }

// Loops in overloaded operators, and in the expressions that use them.
struct Polynomial {
  const double *coefficients;
  int count;

  double operator()(double x) const {
    double result = 0;
    for (int i = count; i-- > 0;) // hint
      result = result * x + coefficients[i];
    return result;
  }

  bool operator==(const Polynomial &other) const {
    if (count != other.count)
      return false;
    for (int i = 0; i < count; ++i) // hint
      if (coefficients[i] != other.coefficients[i])
        return false;
    return true;
  }
};

struct Bits {
  unsigned long long *words;
  int count;

  Bits &operator|=(const Bits &other) {
    for (int i = 0; i < count; ++i) // hint
      words[i] |= other.words[i];
    return *this;
  }
};

double slope(const Polynomial &p, double x, double step) { return (p(x + step) - p(x)) / step; }

bool same(const Polynomial &a, const Polynomial &b) { return a == b; }

Bits &merge(Bits &a, const Bits &b) { return a |= b; }

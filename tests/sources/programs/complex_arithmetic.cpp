// flags: -ffast-math
// std::complex, with arithmetic that may be reordered.
#include <complex>
#include <vector>

using Complex = std::complex<double>;

Complex dotProduct(const std::vector<Complex> &a, const std::vector<Complex> &b) {
  Complex sum = 0;
  for (unsigned i = 0; i < a.size(); ++i) // hint
    sum += std::conj(a[i]) * b[i];
  return sum;
}

void rotate(std::vector<Complex> &values, Complex by) {
  for (Complex &value : values) // hint
    value *= by;
}

double power(const std::vector<Complex> &values) {
  double sum = 0;
  for (const Complex &value : values) // hint
    sum += std::norm(value);
  return sum;
}

// mca: cpu=znver4
#include <vector>

double mean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

void scale(std::vector<float> &values, float factor) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = values[i] * factor + 1;
}

// Horner's scheme: each step waits for the one before.
double polynomial(const std::vector<double> &coefficients, double x) {
  double result = 0;
  for (double c : coefficients)
    result = result * x + c;
  return result;
}

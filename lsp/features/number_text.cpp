// Rounding half up, which printf does not.
#include "lsp/features/number_text.h"

#include <cmath>
#include <cstdio>

namespace lsp::features {

std::string decimals(double value, int digits) {
  const double scale = std::pow(10, digits);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, std::floor(value * scale + 0.5) / scale);
  return buffer;
}

} // namespace lsp::features

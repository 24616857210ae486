// One use of a macro makes several functions: their loops share its line, and the compiler's remarks do.
#define SCALERS(name, type)                                                                                            \
  void name##All(type *values, type factor, int count) {                                                               \
    for (int i = 0; i < count; ++i)                                                                                    \
      values[i] *= factor;                                                                                             \
  }                                                                                                                    \
  type name##Power(const type *values, int count) {                                                                    \
    type product = 1;                                                                                                  \
    for (int i = 0; i < count; ++i)                                                                                    \
      product = product * values[i] + (values[i] > product);                                                           \
    return product;                                                                                                    \
  }

SCALERS(scaleFloat, float) // hint
SCALERS(scaleLong, long) // hint
SCALERS(scaleByte, unsigned char) // hint

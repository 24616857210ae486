// The line marker that a preprocessor leaves behind, and a line directive with a macro for its number.
# 4 "line_same_name.c"
float total(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

#define FIRST_LINE 40
#line FIRST_LINE "line_same_name.c"
float weighted(const float *values, const float *weights, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i] * weights[i];
  return sum;
}

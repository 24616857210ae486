// Arrays that may overlap: compilers test it, and have a loop without vectors for the case that they do.
void copyNumbers(long *to, const long *from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = from[i];
}

void doubled(double *to, const double *from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = 2.0 * from[i];
}

void toDoubles(double *to, const unsigned long *from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = (double)from[i];
}

void widened(int *to, const unsigned char *from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = from[i] + 1;
}

void blend(float *to, const float *first, const float *second, float share, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = first[i] * share + second[i] * (1 - share);
}

// The same loop twice: with and without the word that the arrays do not overlap.
void addTo(float *to, const float *a, const float *b, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = a[i] + b[i];
}

void addToApart(float *restrict to, const float *restrict a, const float *restrict b, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = a[i] + b[i];
}

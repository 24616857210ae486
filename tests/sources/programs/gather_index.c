// Loads through an index, and stores through one.
void gather(double *restrict out, const double *restrict table, const int *restrict index, int count) {
  for (int i = 0; i < count; ++i) // hint
    out[i] = table[index[i]];
}

void scatter(double *restrict table, const double *restrict in, const int *restrict index, int count) {
  for (int i = 0; i < count; ++i) // hint
    table[index[i]] = in[i];
}

// Each point from its neighbours, in one dimension and in two.
void smooth(float *restrict out, const float *restrict in, int count) {
  for (int i = 1; i < count - 1; ++i) // hint
    out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

void diffuse(double *restrict out, const double *restrict in, int width, int height) {
  for (int y = 1; y < height - 1; ++y) {
    const double *row = in + (long)y * width;
    for (int x = 1; x < width - 1; ++x) { // hint
      const double around = row[x - 1] + row[x + 1] + row[x - width] + row[x + width];
      out[(long)y * width + x] = 0.25 * around - row[x];
    }
  }
}

void inPlace(float *values, int count, float share) {
  for (int i = 1; i < count; ++i) // hint
    values[i] += share * (values[i - 1] - values[i]);
}

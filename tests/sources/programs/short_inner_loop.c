// Inner loops of a fixed small number of turns: unrolled, they leave the outer loop as the innermost.
void transformAll(float *points, const float *matrix, int count) {
  for (int i = 0; i < count; ++i) { // hint?
    float out[3] = {0, 0, 0};
    for (int row = 0; row < 3; ++row)   // hint?
      for (int col = 0; col < 3; ++col) // hint?
        out[row] += matrix[row * 3 + col] * points[i * 3 + col];
    for (int row = 0; row < 3; ++row) // hint?
      points[i * 3 + row] = out[row];
  }
}

unsigned nibbles(const unsigned char *bytes, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)                // hint?
    for (int shift = 0; shift < 8; shift += 4) // hint?
      sum += bytes[i] >> shift & 15;
  return sum;
}

// Inner loops whose count is the same in all iterations of the outer one. Compilers test it before the outer loop and
// copy that without the inner one.
void products(float *out, long stride, const float *matrix, const float *vector, int rows, int columns) {
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = 0; i < columns; ++i) // hint
      sum += matrix[row * columns + i] * vector[i];
    out[row * stride] = sum;
  }
}

void visit(const int *at, int y, int x);

void visitGrid(const int *at, int height, int width, int stride, int coarse) {
  const int step = coarse ? 2 : 1;
  // gcc may test the inner count in the copy, too, and go from there to the whole loop: "without its inner loop".
  for (int y = 0; y < height; y += step) { // hint?
    for (int x = 0; x < width; x += step) // hint
      visit(&at[x], y, x);
    at += stride * step;
  }
}

static float dot(const float *a, const float *b, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += a[i] * b[i];
  return sum;
}

void dots(float *out, long stride, const float *matrix, const float *vector, int rows, int columns) {
  for (int row = 0; row < rows; ++row)
    out[row * stride] = dot(matrix + row * columns, vector, columns);
}

void dotsWhile(float *out, long stride, const float *matrix, const float *vector, int rows, int columns) {
  while (rows-- > 0) {
    *out = dot(matrix, vector, columns);
    out += stride;
    matrix += columns;
  }
}

void columnsOfPlanes(float *out, const float *in, int planes, int rows, int columns) {
  for (int plane = 0; plane < planes; ++plane)
    for (int row = 0; row < rows; ++row) {
      float most = 0;
      for (int column = 0; column < columns; ++column) { // hint
        const float value = *in++;
        most = value > most ? value : most;
      }
      out[plane * rows + row] = most;
    }
}

// The work of the outer loop with a flag that is the same in all iterations.
void filtered(int *out, const int *in, int rows, int columns, int clear) {
  for (int row = 0; row < rows; ++row) { // hint?
    out[row] = in[row * columns] ^ 0x55;
    if (clear)
      for (int i = 0; i < columns; ++i) // hint?
        out[row] += in[row * columns + i];
  }
}

// A search, whose inner loop comes after it, and a loop that skips.
int found(const char *text, int count, int *out) {
  for (int i = 0; i < count; ++i) // hint
    if (text[i] == ';') {
      for (int k = 0; k < i; ++k) // hint
        out[k] = text[k] * 7 + out[k / 2];
      return i;
    }
  return -1;
}

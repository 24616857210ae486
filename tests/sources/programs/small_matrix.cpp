// Matrices whose sizes the compiler knows: loops of few rounds may be unrolled, those over many objects stay.
template <int Rows, int Columns>
struct Matrix {
  float cells[Rows][Columns];
};

template <int Rows, int Inner, int Columns>
Matrix<Rows, Columns> operator*(const Matrix<Rows, Inner> &a, const Matrix<Inner, Columns> &b) {
  Matrix<Rows, Columns> product{};
  for (int y = 0; y < Rows; ++y)        // hint?
    for (int x = 0; x < Columns; ++x)   // hint?
      for (int k = 0; k < Inner; ++k)   // hint?
        product.cells[y][x] += a.cells[y][k] * b.cells[k][x];
  return product;
}

Matrix<4, 4> combine(const Matrix<4, 4> &a, const Matrix<4, 4> &b) {
  return a * b;
}

Matrix<32, 32> combineLarge(const Matrix<32, 32> &a, const Matrix<32, 32> &b) {
  return a * b;
}

float traceOf(const Matrix<64, 64> &matrix) {
  float sum = 0;
  for (int i = 0; i < 64; ++i) // hint?
    sum += matrix.cells[i][i];
  return sum;
}

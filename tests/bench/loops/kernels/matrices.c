// Matrices, vectors of a few elements, and complex numbers.
#include "../kernels.h"

void multiply_matrices(int rows, int inner, int columns, float *restrict c, const float *restrict a,
                       const float *restrict b) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k)
      for (int j = 0; j < columns; ++j) // judged
        c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}
KERNEL(multiply_matrices, 16 * (n / 4), randomFloats(&C), (4, 4, n / 4, A.f, B.f, C.f))

void matrix_times_vector(int rows, int columns, double *restrict out, const double *restrict matrix,
                         const double *restrict x) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) // judged
      sum += matrix[i * columns + j] * x[j];
    out[i] = sum;
  }
}
KERNEL(matrix_times_vector, 4 * (n / 8), (randomDoubles(&B), randomDoubles(&C)), (4, n / 8, A.d, B.d, C.d))

void transpose(int rows, int columns, float *restrict out, const float *restrict in) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) // judged
      out[x * rows + y] = in[y * columns + x];
}
KERNEL(transpose, 8 * (n / 8), randomFloats(&B), (8, n / 8, A.f, B.f))

void add_outer_product(int rows, int columns, double *restrict matrix, const double *restrict x,
                       const double *restrict y) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) // judged
      matrix[i * columns + j] += x[i] * y[j];
}
KERNEL(add_outer_product, 4 * (n / 8), randomDoubles(&C), (4, n / 8, A.d, B.d, C.d))

struct Vector {
  float x, y, z, w;
};

void transform_vectors(struct Vector *restrict out, const struct Vector *restrict in, int n, const float m[4][4]) {
  for (int i = 0; i < n; ++i) { // judged
    const struct Vector v = in[i];
    out[i].x = m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z + m[0][3] * v.w;
    out[i].y = m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z + m[1][3] * v.w;
    out[i].z = m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z + m[2][3] * v.w;
    out[i].w = m[3][0] * v.x + m[3][1] * v.y + m[3][2] * v.z + m[3][3] * v.w;
  }
}
KERNEL(transform_vectors, n / 4, (randomFloats(&B), randomFloats(&C)),
       ((struct Vector *)A.f, (struct Vector *)B.f, n / 4, (const float (*)[4])C.f))

struct Complex {
  float re, im;
};

void multiply_complex(struct Complex *restrict out, const struct Complex *restrict a, const struct Complex *restrict b,
                      int n) {
  for (int i = 0; i < n; ++i) { // judged
    out[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
    out[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
  }
}
KERNEL(multiply_complex, n / 2, (randomFloats(&B), randomFloats(&C)),
       ((struct Complex *)A.f, (struct Complex *)B.f, (struct Complex *)C.f, n / 2))

float complex_power(const struct Complex *x, int n) {
  float power = 0;
  for (int i = 0; i < n; ++i) // judged
    power += x[i].re * x[i].re + x[i].im * x[i].im;
  return power;
}
KERNEL(complex_power, n / 2, randomFloats(&A), ((struct Complex *)A.f, n / 2))

void rotate_points(double *restrict x, double *restrict y, int n, double cosine, double sine) {
  for (int i = 0; i < n; ++i) { // judged
    const double rotated = cosine * x[i] - sine * y[i];
    y[i] = sine * x[i] + cosine * y[i];
    x[i] = rotated;
  }
}
KERNEL(rotate_points, n / 2, (randomDoubles(&A), randomDoubles(&D)), (A.d, D.d, n / 2, 0.6, 0.8))

#include <eigen3/Eigen/Dense>
Eigen::VectorXf apply(const Eigen::MatrixXf &a, const Eigen::VectorXf &x) {
  return a * x + x;
}
float dot(const float *a, const float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

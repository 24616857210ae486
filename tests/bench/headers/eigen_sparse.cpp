#include <eigen3/Eigen/SparseCore>
double rows(const Eigen::SparseMatrix<double> &matrix) {
  double sum = 0;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it)
      sum += it.value();
  return sum;
}

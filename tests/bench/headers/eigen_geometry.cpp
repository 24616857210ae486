#include <eigen3/Eigen/Geometry>
#include <vector>
void rotate(std::vector<Eigen::Vector3d> &points, const Eigen::Quaterniond &by) {
  for (Eigen::Vector3d &point : points)
    point = by * point;
}

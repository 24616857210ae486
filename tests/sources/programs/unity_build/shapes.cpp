// A part of unity_build.cpp.
namespace shapes {

struct Point {
  double x, y;
};

[[gnu::always_inline]] inline double areaOf(const Point *points, int count) {
  double area = 0;
  for (int i = 0; i + 1 < count; ++i)
    area += points[i].x * points[i + 1].y - points[i + 1].x * points[i].y;
  return area / 2;
}

double perimeter(const Point *points, int count) {
  double sum = 0;
  for (int i = 0; i + 1 < count; ++i) {
    const double x = points[i].x - points[i + 1].x;
    const double y = points[i].y - points[i + 1].y;
    sum += x * x + y * y;
  }
  return sum;
}

} // namespace shapes

// A translation unit of several files: their loops are theirs, but where they are inlined into a function of this file.
#include "unity_build/shapes.cpp"
#include "unity_build/words.cpp"

double largestArea(const shapes::Point *const *polygons, const int *counts, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const double area = shapes::areaOf(polygons[i], counts[i]); // hint
    largest = area > largest ? area : largest;
  }
  return largest;
}

int lines(const char *text) {
  return words::countOf(text, '\n') + 1; // hint?
}

double scale(shapes::Point *points, int count, double by) {
  for (int i = 0; i < count; ++i) { // hint
    points[i].x *= by;
    points[i].y *= by;
  }
  return shapes::perimeter(points, count); // hint?
}

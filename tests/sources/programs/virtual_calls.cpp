// Each turn calls what the object says.
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square final : Shape {
  double side = 0;
  double area() const override { return side * side; }
};

double areaOf(const Shape *const *shapes, int count) {
  double area = 0;
  for (int i = 0; i < count; ++i) // hint
    area += shapes[i]->area();
  return area;
}

double areaOfSquares(const Square *squares, int count) {
  double area = 0;
  for (int i = 0; i < count; ++i) // hint
    area += squares[i].area();
  return area;
}

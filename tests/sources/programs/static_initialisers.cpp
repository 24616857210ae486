// Loops that run before the program does, and one that runs the first time only.
int seed();

struct Squares {
  explicit Squares(int step) {
    for (int i = 0; i < 500; ++i) // hint
      values[i] = i * i / step;
  }
  int values[500];
};

static const Squares kSquares(seed());

static const int kSum = [] {
  int sum = 0;
  for (int i = seed(); i > 0; i /= 3) // hint
    sum += i;
  return sum;
}();

int lookUp(int index) {
  static const Squares squares(seed() + kSum);
  return squares.values[index] + kSquares.values[index];
}

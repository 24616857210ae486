// Arithmetic on whole vectors that one loop in the assignment operator does: the hint stands on that loop.
#include <cstddef>

template <class Left, class Right, class Operation>
struct Combined {
  const Left &left;
  const Right &right;
  float operator[](std::size_t i) const { return Operation::apply(left[i], right[i]); }
};

struct Add {
  static float apply(float a, float b) { return a + b; }
};
struct Multiply {
  static float apply(float a, float b) { return a * b; }
};

struct Vector {
  float *values;
  std::size_t count;
  float operator[](std::size_t i) const { return values[i]; }

  template <class Expression>
  void assign(const Expression &expression) {
    for (std::size_t i = 0; i < count; ++i) // hint
      values[i] = expression[i];
  }
};

template <class Left, class Right>
Combined<Left, Right, Add> operator+(const Left &left, const Right &right) {
  return {left, right};
}
template <class Left, class Right>
Combined<Left, Right, Multiply> operator*(const Left &left, const Right &right) {
  return {left, right};
}

void blend(Vector &to, const Vector &a, const Vector &b, const Vector &c) {
  to.assign(a * b + c);
}

void square(Vector &to, const Vector &a) {
  to.assign(a * a);
}

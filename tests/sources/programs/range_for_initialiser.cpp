// A range-for that declares something first, one over braces, and one over a range of its own.
#include <vector>

int weighted(const std::vector<int> &values) {
  int sum = 0;
  for (int weight = 1; const int value : values) // hint
    sum += value * weight++;
  return sum;
}

int viaPointers(const int *a, const int *b, int count) {
  int sum = 0;
  for (const int *array : {a, b})   // hint?
    for (int i = 0; i < count; ++i) // hint
      sum = sum * 3 + array[i];
  return sum;
}

struct Countdown {
  int from;
  struct Iterator {
    int at;
    int operator*() const { return at; }
    Iterator &operator++() {
      --at;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at != other.at; }
  };
  Iterator begin() const { return {from}; }
  Iterator end() const { return {0}; }
};

unsigned mixed(int from) {
  unsigned result = 1;
  for (const int value : Countdown{from}) // hint
    result = result * 31 + static_cast<unsigned>(value);
  return result;
}

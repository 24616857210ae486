// Loops where objects begin and end: in the initialiser list, in a member's default value, in bodies.
class Table {
public:
  Table(const int *values, int count) : count_(count), sum_([&] {
    int sum = 0;
    for (int i = 0; i < count; ++i) // hint
      sum += values[i];
    return sum;
  }()) {
    entries_ = new int[static_cast<unsigned>(count)];
    for (int i = 0; i < count; ++i) // hint
      entries_[i] = values[i] * 3;
  }
  Table(const Table &) = delete;
  ~Table();

private:
  int count_;
  int sum_;
  int *entries_;
  int largest_ = [this] {
    int largest = 0;
    for (int i = 1; i < count_; ++i) // hint
      largest = largest < i * sum_ % 17 ? i * sum_ % 17 : largest;
    return largest;
  }();
};

Table::~Table() {
  for (int i = 0; i < count_; ++i) // hint
    entries_[i] ^= largest_;
  delete[] entries_;
}

Table *make(const int *values, int count) { return new Table(values, count); }

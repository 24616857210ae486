// Members of classes, of templates, of local classes, and friends.
template <typename Value>
class Accumulator {
public:
  void add(const Value *values, int count) {
    for (int i = 0; i < count; ++i) // hint
      sum_ += values[i];
  }
  friend Value total(const Accumulator *accumulators, int count) {
    Value sum = 0;
    for (int i = 0; i < count; ++i) // hint
      sum += accumulators[i].sum_;
    return sum;
  }

private:
  Value sum_ = 0;
};

template class Accumulator<int>;

long run(Accumulator<long> *accumulators, int count, const long *values, int length) {
  accumulators->add(values, length);
  return total(accumulators, count);
}

int local(const int *values, int count) {
  struct Folder {
    static int fold(const int *values, int count) {
      int result = 0;
      for (int i = 0; i < count; ++i) // hint
        result = result * 5 ^ values[i];
      return result;
    }
  };
  return Folder::fold(values, count);
}

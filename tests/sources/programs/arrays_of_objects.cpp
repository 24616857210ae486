// Arrays whose elements have constructors and destructors: the loops over them are in no one's source.
struct Counter {
  explicit Counter(int start = 1) : count(start) {} // hint?
  Counter(const Counter &other);
  ~Counter();
  int count;
};

Counter *makeAll(unsigned count) {
  return new Counter[count]; // hint
}

void destroyAll(Counter *counters) {
  delete[] counters; // hint
}

struct Bank { // hint
  Counter counters[24];
  int owner;
};

Bank copyOf(const Bank &bank) {
  return bank; // hint?
}

int total(const Bank &bank) {
  int sum = 0;
  for (const Counter &counter : bank.counters) // hint?
    sum += counter.count;
  return sum;
}

// Loops that throw, that catch, and whose calls never do.
int parse(const char *text);
void log(int index) noexcept;

int sumOfParsed(const char *const *texts, int count, int *failed) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { // hint
    try {
      sum += parse(texts[i]);
    } catch (int) {
      ++*failed;
    }
  }
  return sum;
}

int checkedSum(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { // hint
    if (values[i] < 0)
      throw values[i];
    sum += values[i];
  }
  return sum;
}

void logAll(int count) noexcept {
  for (int i = 0; i < count; ++i) // hint
    log(i);
}

int retry(const char *text, int times) {
  while (true) { // hint?
    try {
      return parse(text);
    } catch (...) {
      if (--times == 0)
        throw;
    }
  }
}

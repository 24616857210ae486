// A coroutine with a loop that gives values one by one, and the loop that takes them.
#include <coroutine>
#include <exception>

class Generator {
public:
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) noexcept {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Generator(Handle handle) : handle_(handle) {}
  Generator(const Generator &) = delete;
  ~Generator() { handle_.destroy(); }
  bool advance() {
    handle_.resume();
    return !handle_.done();
  }
  int value() const { return handle_.promise().value; }

private:
  Handle handle_;
};

Generator primesUpTo(int limit) { // hint?
  for (int candidate = 2; candidate < limit; ++candidate) { // hint?
    bool isPrime = true;
    for (int by = 2; by * by <= candidate && isPrime; ++by) // hint
      isPrime = candidate % by != 0;
    if (isPrime)
      co_yield candidate;
  }
}

int sumOf(Generator &numbers) {
  int sum = 0;
  while (numbers.advance()) // hint
    sum += numbers.value();
  return sum;
}

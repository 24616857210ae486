// A base that calls into what derives from it: its loop is inlined for each of them.
#include <cstddef>

template <class Derived>
struct Filter {
  void run(float *samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) // hint
      samples[i] = static_cast<Derived *>(this)->step(samples[i]);
  }
};

struct Gain : Filter<Gain> {
  float by;
  float step(float sample) const { return sample * by; }
};

struct Delay : Filter<Delay> {
  float last = 0;
  float step(float sample) {
    const float result = last;
    last = sample;
    return result;
  }
};

struct Smooth : Filter<Smooth> {
  float state = 0;
  float step(float sample) { return state += (sample - state) * 0.125f; }
};

void louder(Gain &filter, float *samples, std::size_t count) {
  filter.run(samples, count);
}
void later(Delay &filter, float *samples, std::size_t count) {
  filter.run(samples, count);
}
void softer(Smooth &filter, float *samples, std::size_t count) {
  filter.run(samples, count);
}

/* Macros with loops in them, for macro_from_header.c. */
#define SAMPLES 1024
#define HALF(value) ((value) * 0.5f)
#define FOR_SAMPLES(index) for (int index = 0; index < SAMPLES; ++index)
#define COUNT_SAMPLES(count, condition)                                                                               \
  FOR_SAMPLES(i) {                                                                                                     \
    if (condition)                                                                                                     \
      ++(count);                                                                                                       \
  }

// Atomic operations, some of which are loops of their own on some CPUs.
#include <stdatomic.h>

void countAll(atomic_int *counters, const unsigned char *kinds, int count) {
  for (int i = 0; i < count; ++i) // hint
    atomic_fetch_add_explicit(&counters[kinds[i]], 1, memory_order_relaxed);
}

void raiseTo(atomic_int *highest, int value) {
  int seen = atomic_load_explicit(highest, memory_order_relaxed);
  while (seen < value && !atomic_compare_exchange_weak(highest, &seen, value)) // hint
    ;
}

void countBytes(atomic_uchar *counters, int count) {
  for (int i = 0; i < count; ++i) // hint?
    atomic_fetch_add(&counters[i], 1); // hint?
}

void lock(atomic_flag *taken) {
  while (atomic_flag_test_and_set_explicit(taken, memory_order_acquire)) // hint
    ;
}

// The loop is in a header of the program's own: the line is the call's.
#include "inlined_own_header.h"

int middleOf(const Ring &ring, int level) {
  const int sum = ring.sum(); // hint
  return sum / level;
}

void push(Ring &ring, const int *values, int count) {
  for (int i = 0; i < count; ++i) // hint
    ring.push(values[i]);
}

int loudest(const Ring *rings, int count) {
  int best = 0;
  for (int i = 0; i < count; ++i) {
    const int peak = rings[i].peak(); // hint
    best = peak > best ? peak : best;
  }
  return best;
}

// A container for several types out of one file: loops of its functions stand on the calls.
#define ITEM int
#define STACK Ints
#include "generic_stack.inc"
#define ITEM double
#define STACK Doubles
#include "generic_stack.inc"

int foldInts(const Ints *stack) {
  return Ints_fold(stack, 1); // hint
}

double foldDoubles(const Doubles *stack) {
  return Doubles_fold(stack, 0.5); // hint
}

void pushDigits(Ints *stack, unsigned number) {
  do // hint
    Ints_push(stack, (int)(number % 10));
  while (number /= 10);
}

void pushAll(Doubles *stack, const double *values, int count) {
  for (int i = 0; i < count; ++i) // hint
    Doubles_push(stack, values[i] * values[i]);
}

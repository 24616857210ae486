// Jumps out of functions that compilers make of calls. There is no loop but the marked ones.
typedef unsigned (*Sum)(unsigned, const unsigned char *, unsigned long);
extern int features;
unsigned fast(unsigned sum, const unsigned char *data, unsigned long size);
unsigned slow(unsigned sum, const unsigned char *data, unsigned long size);
static unsigned dispatch(unsigned sum, const unsigned char *data, unsigned long size);
static volatile Sum chosen = dispatch;

static unsigned dispatch(unsigned sum, const unsigned char *data, unsigned long size) {
  Sum best = features & 1 ? fast : slow;
  chosen = best;
  return best(sum, data, size);
}

unsigned sumOf(unsigned sum, const unsigned char *data, unsigned long size) {
  return chosen(sum, data, size);
}

// A variable and a table of functions of this file, which call what it holds.
static int plus(int value, const unsigned char *code);
static int minus(int value, const unsigned char *code);
static int halt(int value, const unsigned char *code);
static int (*steps[])(int, const unsigned char *) = {plus, minus, halt};

static int plus(int value, const unsigned char *code) {
  return steps[*code](value + 1, code + 1);
}
static int minus(int value, const unsigned char *code) {
  return steps[*code](value - 1, code + 1);
}
static int halt(int value, const unsigned char *code) {
  return value + *code;
}
int run(const unsigned char *code) {
  steps[2] = halt;
  return steps[*code](0, code + 1);
}

// A call after a switch, to which all of its cases lead.
struct Sink {
  int state;
  int (*put)(struct Sink *, int);
};

int putMapped(struct Sink *sink, int kind, int value) {
  switch (kind) {
  case 0: value += 7; break;
  case 1: value *= 3; break;
  case 2: value ^= sink->state; break;
  case 3: value -= 99; break;
  case 4: value = value * value; break;
  case 5: value /= 7; break;
  case 6: sink->state += value; break;
  default: value = 0;
  }
  return sink->put(sink, value);
}

int callMapped(int (*put)(int), int kind, int value) {
  switch (kind) {
  case 0: value += 7; break;
  case 1: value *= 3; break;
  case 2: value ^= 123; break;
  case 3: value -= 99; break;
  case 4: value = value * value; break;
  case 5: value /= 7; break;
  default: value = 0;
  }
  return put(value);
}

// Functions that end with a call of each other.
int isOdd(unsigned value, int *count);
__attribute__((noinline)) int isEven(unsigned value, int *count) {
  *count += value;
  return value == 0 ? 1 : isOdd(value - 1, count);
}
__attribute__((noinline)) int isOdd(unsigned value, int *count) {
  *count ^= value;
  return value == 0 ? 0 : isEven(value - 1, count);
}

int loopAfterAll(const int *values, int count, int (*put)(int)) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return put(sum);
}

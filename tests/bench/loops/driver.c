// Times calls of the kernels that it is linked with, or of those that are named.
//
//   loops CANARY [NAME...]
//
// It prints "NAME EXECUTIONS CYCLES" for each size of each kernel: how often the judged loop's body is executed in one
// call, and the core cycles of the call. Without enough quiet moments for a size, there is no line.
//
// As in mca-measure, a chain of multiplications gives the core's speed, and a canary of independent loads and nops,
// which is slow while a neighbour uses the same core, says which repetitions count: those with a fast canary before and
// after. Neighbours come and go within a millisecond, so a repetition takes a few microseconds. CANARY is the fastest
// one of earlier runs in cycles, or 0; the last line, "canary CYCLES", has the fastest of this run and those.
#define _GNU_SOURCE
#include "kernels.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum {
  CHAIN = 1000,        // multiplications
  LATENCY = 3,         // of one, in cycles: on Intel's cores since Sandy Bridge and AMD's since Zen
  CYCLES = 8000,       // that a repetition takes: as many calls as that needs
  REPETITIONS = 20000, // at most
  LEAST = 10,          // quiet ones that a result needs
  ENOUGH = 200,        // quiet ones
  CANARY_ROUNDS = 40,
  KEPT_CANARIES = 8
};
/// For one size of a kernel, and if no repetition was quiet.
static const double MILLISECONDS = 20, MILLISECONDS_IN_VAIN = 4;
static const double LEARNING_MILLISECONDS = 200;
static const double CLOCK_TOLERANCE = .01, CANARY_TOLERANCE = .03;
/// Of the quiet repetitions, this share is faster than the one that counts: the clock's own errors make some too fast.
static const double COUNTED_QUANTILE = .1;

#ifdef UNALIGNED // as malloc may place them
#define BEHIND "16"
#else
#define BEHIND "0"
#endif
#define DEFINE_ARRAY(name, number)                                                                                     \
  __asm__(".globl " #name "\n.set " #name ", arrays + " BEHIND " + " #number " * 4 * (2048 + 64)")

/// The arrays, one after the other from the begin of a page.
static char arrays[4 * sizeof(union Array) + 16] __attribute__((used, aligned(4096)));
_Static_assert(sizeof(union Array) == 4 * (2048 + 64), "the symbols below know it");
DEFINE_ARRAY(A, 0);
DEFINE_ARRAY(B, 1);
DEFINE_ARRAY(C, 2);
DEFINE_ARRAY(D, 3);

// ---- data ---------------------------------------------------------------------------------------------------------
/// The number at a position of a random sequence (splitmix64).
static uint64_t randomAt(uint64_t position) {
  uint64_t z = position * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint64_t drawn;

static uint32_t draw(uint32_t end) {
  return (uint32_t)((randomAt(++drawn) >> 32) * end >> 32);
}

#define COUNT(member) (sizeof(union Array) / sizeof *((union Array *)0)->member)

void randomFloats(union Array *array) {
  for (size_t i = 0; i < COUNT(f); ++i)
    array->f[i] = .5f + (float)draw(1 << 20) / (1 << 20);
}

void randomDoubles(union Array *array) {
  for (size_t i = 0; i < COUNT(d); ++i)
    array->d[i] = .5 + (double)draw(1 << 30) / (1 << 30);
}

void randomBits(union Array *array) {
  for (size_t i = 0; i < COUNT(u64); ++i)
    array->u64[i] = randomAt(++drawn);
}

void randomBelow(union Array *array, uint32_t end) {
  for (size_t i = 0; i < COUNT(u32); ++i)
    array->u32[i] = draw(end);
}

void randomBytesBelow(union Array *array, uint32_t end) {
  for (size_t i = 0; i < COUNT(u8); ++i)
    array->u8[i] = (uint8_t)draw(end);
}

void randomShortsBelow(union Array *array, uint32_t end) {
  for (size_t i = 0; i < COUNT(u16); ++i)
    array->u16[i] = (uint16_t)draw(end);
}

void permutation(union Array *array, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t place = draw(i + 1);
    array->u32[i] = array->u32[place];
    array->u32[place] = i;
  }
}

void linkAll(union Array *array, uint32_t count) {
  struct Node *last = NULL;
  static union Array order;
  permutation(&order, count - 1);
  for (uint32_t i = 0; i < count; ++i) { // from the last one to the first, which is the array's
    struct Node *node = array->nodes + (i + 1 < count ? order.u32[i] + 1 : 0);
    node->next = last;
    node->value = i;
    last = node;
  }
}

// ---- the clock ----------------------------------------------------------------------------------------------------
static uint64_t ticks(void) {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static uint64_t timeChain(void) {
  uint64_t value = 3;
  const uint64_t start = ticks();
  for (int i = 0; i < CHAIN / 8; ++i)
    __asm__ volatile("imulq %0, %0\nimulq %0, %0\nimulq %0, %0\nimulq %0, %0\n"
                     "imulq %0, %0\nimulq %0, %0\nimulq %0, %0\nimulq %0, %0\n"
                     : "+r"(value));
  return ticks() - start;
}

/// Loads and nops: as many as the front end and the cache can take. A neighbour on the same core takes a part of both.
/// At another place in a line of code they may take longer, so the place is the same in all programs.
static __attribute__((noinline, aligned(64))) uint64_t timeCanary(void) {
  static uint64_t word;
  const uint64_t start = ticks();
  // Unrolled, it would not fit into a cache of decoded instructions.
#pragma clang loop unroll(disable)
  for (int i = 0; i < CANARY_ROUNDS; ++i)
    __asm__ volatile(".rept 32\nmovq %0, %%rax\nmovq %0, %%rcx\nnop\nnop\nnop\nnop\n.endr"
                     :
                     : "m"(word)
                     : "rax", "rcx");
  return ticks() - start;
}

static void nothing(int n) {
  (void)n;
}

/// Each call begins when the one before is complete, as for a caller that uses its result.
static uint64_t timeCalls(void (*call)(int), int n, int calls) {
  const uint64_t start = ticks();
  for (int i = 0; i < calls; ++i) {
    call(n);
    _mm_lfence();
  }
  return ticks() - start;
}

// ---- measuring ----------------------------------------------------------------------------------------------------
/// Ticks between two readings of the clock with nothing between them.
static uint64_t emptyTicks = UINT64_MAX;
/// The fastest canaries so far, in cycles, sorted. The slowest of them is the reference: those before it may be errors
/// of the clock.
static double fastestCanaries[KEPT_CANARIES];

static void learnCanary(double canary) {
  int i = KEPT_CANARIES - 1;
  if (canary >= fastestCanaries[i])
    return;
  for (; i > 0 && fastestCanaries[i - 1] > canary; --i)
    fastestCanaries[i] = fastestCanaries[i - 1];
  fastestCanaries[i] = canary;
}

/// Cycles of one of `calls` calls, if the machine was quiet; negative otherwise.
static double attempt(void (*call)(int), int n, int calls) {
  const uint64_t chainBefore = timeChain() - emptyTicks, canaryBefore = timeCanary() - emptyTicks;
  const uint64_t time = timeCalls(call, n, calls) - emptyTicks;
  const uint64_t canaryAfter = timeCanary() - emptyTicks, chainAfter = timeChain() - emptyTicks;
  const double ratio = (double)chainAfter / (double)chainBefore;
  if (ratio > 1 + CLOCK_TOLERANCE || ratio < 1 - CLOCK_TOLERANCE)
    return -1;
  const double ticksPerCycle = (double)(chainBefore + chainAfter) / (2. * CHAIN * LATENCY);
  const uint64_t slower = canaryBefore > canaryAfter ? canaryBefore : canaryAfter;
  const double canary = (double)slower / ticksPerCycle;
  learnCanary(canary);
  const double most = fastestCanaries[KEPT_CANARIES - 1] * (1 + CANARY_TOLERANCE);
  return canary <= most ? (double)time / ticksPerCycle / calls : -1;
}

/// Learns how long nothing takes, and a canary: `known` is the fastest one so far, or 0.
static void learn(double known) {
  for (int i = 0; i < KEPT_CANARIES; ++i)
    fastestCanaries[i] = known > 0 ? known : 1e9;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t empty = timeCalls(nothing, 0, 0);
    emptyTicks = empty < emptyTicks ? empty : emptyTicks;
  }
  for (const double start = milliseconds(); milliseconds() < start + LEARNING_MILLISECONDS;)
    attempt(nothing, 0, 1);
}

static int compare(const void *a, const void *b) {
  const double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

/// Cycles of one call; negative if too few repetitions were quiet.
static double measure(const struct Kernel *kernel, int n) {
  static double cycles[ENOUGH];
  int calls = 1, quiet = 0;
  memset(&A, 0, sizeof A), memset(&B, 0, sizeof B), memset(&C, 0, sizeof C), memset(&D, 0, sizeof D);
  drawn = 0;
  kernel->prepare(n);
  kernel->call(n);
  const double start = milliseconds();
  for (int i = 0; i < REPETITIONS && quiet < ENOUGH; ++i) {
    if (milliseconds() - start > (quiet > 0 ? MILLISECONDS : MILLISECONDS_IN_VAIN))
      break;
    const double time = attempt(kernel->call, n, calls);
    if (time < 0)
      continue;
    if (calls == 1 && time < CYCLES)
      calls = (int)(CYCLES / (time < 1 ? 1 : time)) + 1;
    else
      cycles[quiet++] = time;
  }
  qsort(cycles, (size_t)quiet, sizeof *cycles, compare);
  return quiet < LEAST ? -1 : cycles[(int)(quiet * COUNTED_QUANTILE)];
}

/// Keeps the process on the CPU that it is on.
static void stay(void) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

static int isNamed(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (strcmp(name, names[i]) == 0)
      return 1;
  return count == 0;
}

extern const struct Kernel *const __start_kernels[], *const __stop_kernels[];

int main(int count, char **arguments) {
  if (count < 2) {
    fputs("usage: loops CANARY [NAME...]\n", stderr);
    return 2;
  }
  stay();
  learn(atof(arguments[1]));
  for (const struct Kernel *const *kernel = __start_kernels; kernel != __stop_kernels; ++kernel)
    for (int n = MOST / 2; isNamed((*kernel)->name, count - 2, arguments + 2) && n <= MOST; n += MOST / 8) {
      const double cycles = measure(*kernel, n);
      if (cycles >= 0)
        printf("%s %ld %.2f\n", (*kernel)->name, (*kernel)->executions(n), cycles);
    }
  printf("canary %.1f\n", fastestCanaries[KEPT_CANARIES - 1]);
  return 0;
}

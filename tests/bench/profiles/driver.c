// Runs each kernel over data of each footprint, and times it by the time stamp counter.
//
//   profiles SECONDS      prints "NAME FOOTPRINT ITERATIONS CYCLES" for each: of the whole run
//
// The number of iterations does not depend on the machine, so that a program that counts them does as many. A chain of
// exclusive ors, one cycle each, around each group of calls says how many ticks a cycle has. The time that the process
// waited for the CPU does not count: the scheduler says how long that was.
#define _GNU_SOURCE
#include "kernels.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

extern const struct Kernels kernels_l1, kernels_l2, kernels_l3, kernels_memory;

static const struct Footprint {
  const char *name;
  const struct Kernels *kernels;
  size_t bytes; // of what is read at random or in order
} footprints[] = {{"l1", &kernels_l1, 32 << 10},
                  {"l2", &kernels_l2, 512 << 10},
                  {"l3", &kernels_l3, 16 << 20},
                  {"memory", &kernels_memory, (size_t)512 << 20}};

enum { CHAIN = 20000, GROUPS = 40 };

static char *data, *more;
static volatile double sink;

// ---- data ---------------------------------------------------------------------------------------------------------
static uint64_t drawn;

/// splitmix64
static uint64_t random64(void) {
  uint64_t z = ++drawn * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Values that are no denormals.
static void fill_numbers(long n, size_t bytes) {
  (void)n;
  for (size_t i = 0; i < bytes / 4; ++i)
    ((float *)data)[i] = ((float *)more)[i] = 1;
}

static void fill_random(long n, size_t bytes) {
  (void)n;
  for (size_t i = 0; i < bytes / 4; ++i)
    ((uint32_t *)data)[i] = (uint32_t)random64();
}

/// A list through all nodes in random order (a cycle by Sattolo's shuffle, cut at the first).
static void fill_list(long n, size_t bytes) {
  (void)n;
  struct Node *nodes = (struct Node *)data;
  uint32_t *order = (uint32_t *)more;
  const size_t count = bytes / sizeof *nodes;
  for (size_t i = 0; i < count; ++i)
    order[i] = (uint32_t)i;
  for (size_t i = count - 1; i > 1; --i) { // the first stays the first
    const size_t other = 1 + random64() % i;
    const uint32_t kept = order[i];
    order[i] = order[other], order[other] = kept;
  }
  for (size_t i = 0; i < count; ++i) {
    nodes[order[i]].next = i + 1 < count ? nodes + order[i + 1] : NULL;
    nodes[order[i]].value = i;
  }
}

static void fill_indices(long n, size_t bytes) {
  for (long i = 0; i < n; ++i)
    ((uint32_t *)more)[i] = (uint32_t)(random64() % (bytes / 4));
}

static void fill_polynomials(long n, size_t bytes) {
  (void)n;
  for (size_t i = 0; i < bytes / 8; ++i)
    ((double *)data)[i] = 1 + (double)(i % 8);
}

// ---- kernels ------------------------------------------------------------------------------------------------------
static void stream(const struct Kernels *kernels, long n) {
  kernels->stream((float *)data, (float *)more, n);
}
static void strided(const struct Kernels *kernels, long n) {
  sink = kernels->strided((uint32_t *)data, n);
}
static void chase(const struct Kernels *kernels, long n) {
  (void)n;
  sink = (double)kernels->chase((struct Node *)data);
}
static void gather(const struct Kernels *kernels, long n) {
  sink = kernels->gather((uint32_t *)data, (uint32_t *)more, n);
}
static void filter(const struct Kernels *kernels, long n) {
  sink = (double)kernels->filter((struct Record *)data, (uint32_t *)more, n, 1u << 31);
}
static void evaluate(const struct Kernels *kernels, long n) {
  sink = kernels->evaluate((struct Polynomial *)data, n, .5);
}

/// `bytes`: of the data, for each iteration; `cycles`: about what one takes in L1, which chooses how many calls are
/// made.
static const struct Job {
  const char *name;
  void (*fill)(long n, size_t bytes);
  void (*call)(const struct Kernels *, long n);
  size_t bytes;
  double cycles[4];
} jobs[] = {
    {"stream", fill_numbers, stream, 8, {.4, .5, 1, 2}},  {"strided", fill_random, strided, 64, {1, 3, 10, 20}},
    {"chase", fill_list, chase, 64, {5, 20, 300, 800}},   {"gather", fill_indices, gather, 16, {1, 2, 16, 80}},
    {"filter", fill_random, filter, 128, {3, 4, 25, 50}}, {"evaluate", fill_polynomials, evaluate, 64, {8, 8, 12, 30}}};

// ---- the clock ----------------------------------------------------------------------------------------------------
static uint64_t ticks(void) {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

static double ticks_per_cycle(void) {
  uint64_t value = 3, other = 5, least = UINT64_MAX;
  for (int round = 0; round < 3; ++round) {
    const uint64_t start = ticks();
    for (int i = 0; i < CHAIN / 8; ++i)
      __asm__ volatile(".rept 8\nxorq %1, %0\n.endr" : "+r"(value) : "r"(other));
    const uint64_t time = ticks() - start;
    least = time < least ? time : least;
  }
  return (double)least / CHAIN;
}

/// Nanoseconds that this process was ready and did not run.
static double waited(void) {
  char text[128] = "";
  const int file = open("/proc/self/schedstat", O_RDONLY);
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  double ran = 0, waits = 0;
  if (size <= 0 || sscanf(text, "%lf %lf", &ran, &waits) != 2) {
    fputs("/proc/self/schedstat cannot be read\n", stderr);
    exit(1);
  }
  return waits;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double ticks_per_nanosecond(void) {
  const double start = nanoseconds();
  const uint64_t first = ticks();
  while (nanoseconds() < start + 5e7) {
  }
  const double time = nanoseconds() - start;
  return (double)(ticks() - first) / time;
}

static void run(const struct Job *job, int size, double seconds) {
  const struct Footprint *footprint = footprints + size;
  const size_t bytes = job->bytes == 8 ? footprint->bytes / 2 : footprint->bytes; // a stream has two arrays
  const long n = (long)(bytes / (job->bytes == 8 ? 4 : job->bytes));
  const double wanted = seconds * 3e9 / GROUPS / ((double)n * job->cycles[size]); // calls of a group
  const int calls = wanted < 1 ? 1 : (int)wanted;
  const int groups = wanted < 1 ? (int)(GROUPS * wanted) + 1 : GROUPS;
  job->fill(n, bytes);
  job->call(footprint->kernels, n);
  static double tick_rate = 0;
  if (tick_rate == 0)
    tick_rate = ticks_per_nanosecond();
  double cycles = 0;
  for (int group = 0; group < groups; ++group) {
    const double before = ticks_per_cycle(), waited_before = waited();
    const uint64_t start = ticks();
    for (int i = 0; i < calls; ++i)
      job->call(footprint->kernels, n);
    const double time = (double)(ticks() - start) - (waited() - waited_before) * tick_rate;
    cycles += time / ((before + ticks_per_cycle()) / 2);
  }
  printf("%s %s %ld %.4f\n", job->name, footprint->name, n, cycles / ((double)groups * calls * (double)n));
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: profiles SECONDS\n", stderr);
    return 2;
  }
  const size_t bytes = footprints[3].bytes;
  data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  more = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED || more == MAP_FAILED)
    return 1;
  for (int size = 0; size < 4; ++size)
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i)
      run(jobs + i, size, atof(arguments[1]));
  return 0;
}

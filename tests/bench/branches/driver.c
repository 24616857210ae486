// Fills the buffers of a kernel with random, periodic or biased data, and runs it: once, to be traced, or many times to
// measure its cycles.
//
//   branches run KERNEL DATA       one call, with the first set of data
//   branches measure KERNEL DATA   prints cycles per element: the mean over the sets of the fastest call with each
//
// DATA is random, biased, or the period of periodic data. The time stamp counter does not count core cycles. A chain of
// dependent multiplications, three cycles each on every x86-64 core since 2010, says how fast the core runs.
#define _GNU_SOURCE
#include "kernels.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum {
  SETS = 24, // of different data: together more than a predictor remembers
  ROUNDS = 5 // over all sets
};

enum { RANDOM = 0, BIASED = ~0u }; // and any other period

/// The state of a sequence of numbers.
struct Source {
  uint32_t period; // or RANDOM or BIASED
  uint64_t seed, drawn;
};

/// The number at a position of a random sequence (splitmix64).
static uint64_t random_at(uint64_t position) {
  uint64_t z = position * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// A number below `limit`. Biased, it is nine times out of ten the same one, of the lower half, and else of the upper.
static uint32_t draw(struct Source *source, uint32_t limit) {
  const int is_periodic = source->period != RANDOM && source->period != BIASED;
  const uint64_t position = is_periodic ? source->drawn % source->period : source->drawn;
  ++source->drawn;
  const uint64_t random = random_at(source->seed + position);
  uint64_t value = random >> 32;
  if (source->period == BIASED)
    value = (uint32_t)random % 10 ? 0x38000000 : value | 0x80000000;
  return (uint32_t)(value * limit >> 32);
}

static uint32_t draw_word(struct Source *source) {
  return draw(source, ~0u);
}

// ---- what each kernel reads ---------------------------------------------------------------------------------------
typedef void Fill(struct Buffers *, struct Source *);

static void fill_words(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->words[i] = draw_word(source);
}

static void fill_bits(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->bytes[i] = (uint8_t)draw(source, 2);
}

static void fill_operations(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->bytes[i] = (uint8_t)draw(source, 8);
}

/// Keys, half of which are in the table of the odd numbers.
static void fill_keys(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->words[i] = draw(source, 2 * KEYS);
}

static void fill_sorted_table(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < KEYS; ++i)
    buffers->table[i] = 2 * i + 1;
  fill_keys(buffers, source);
}

static void fill_tree(struct Buffers *buffers, struct Source *source) {
  memset(buffers->tree, 0, KEYS * sizeof *buffers->tree);
  buffers->tree[1].key = KEYS;
  for (uint32_t i = 2; i < KEYS; ++i) {
    const uint32_t key = random_at(i) % (2 * KEYS);
    uint32_t *link, node = 1;
    do {
      link = key < buffers->tree[node].key ? &buffers->tree[node].left : &buffers->tree[node].right;
      node = *link;
    } while (node);
    *link = i;
    buffers->tree[i].key = key;
  }
  fill_keys(buffers, source);
}

static void fill_hash_table(struct Buffers *buffers, struct Source *source) {
  memset(buffers->table, 0, 2 * KEYS * sizeof *buffers->table);
  for (uint32_t key = 1; key < 2 * KEYS; key += 2) {
    uint32_t slot = key * 2654435769u >> 21;
    while (buffers->table[slot])
      slot = (slot + 1) % (2 * KEYS);
    buffers->table[slot] = key;
  }
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->words[i] = draw(source, 2 * KEYS - 1) + 1;
}

static void fill_strings(struct Buffers *buffers, struct Source *source) {
  uint8_t *text = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t length = draw(source, 8);
    memset(text, 'x', 8);
    text[length] = 0;
    text += length + 1;
  }
}

static void fill_sorted_lists(struct Buffers *buffers, struct Source *source) {
  uint32_t a = 0, b = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    buffers->words[i] = a += 1 + draw(source, 3);
    buffers->others[i] = b += 1 + draw(source, 3);
  }
}

static void fill_runs(struct Buffers *buffers, struct Source *source) {
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    buffers->bytes[2 * i] = (uint8_t)(1 + draw(source, 6));
    buffers->bytes[2 * i + 1] = (uint8_t)i;
  }
}

static void fill_utf8(struct Buffers *buffers, struct Source *source) {
  static const uint8_t leads[] = {'a', 0xc3, 0xe2, 0xf0};
  uint8_t *text = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t more = draw(source, 4);
    memset(text, 0x85, 4);
    *text = leads[more];
    text += more + 1;
  }
}

static void fill_text(struct Buffers *buffers, struct Source *source) {
  static const char *const tokens[] = {"x", "if", "size", "return", " ", "(", "7", "4096"};
  char *text = (char *)buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    text = stpcpy(text, tokens[draw(source, 8)]);
}

static void fill_varints(struct Buffers *buffers, struct Source *source) {
  uint8_t *out = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    for (uint32_t more = draw(source, 4); more > 0; --more)
      *out++ = 0x81;
    *out++ = (uint8_t)(i & 0x7f);
  }
}

static void fill_pairs(struct Buffers *buffers, struct Source *source) {
  memset(buffers->bytes, 'x', 8 * ELEMENTS);
  memset(buffers->otherBytes, 'x', 8 * ELEMENTS);
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    buffers->otherBytes[8 * i + draw(source, 8)] = 'y';
}

// ---- the kernels --------------------------------------------------------------------------------------------------
#define KERNELS(X)                                                                                                     \
  X(skip, fill_words)                                                                                                  \
  X(filter, fill_words)                                                                                                \
  X(binary_search, fill_sorted_table)                                                                                  \
  X(tree_search, fill_tree)                                                                                            \
  X(interpreter, fill_operations)                                                                                      \
  X(string_lengths, fill_strings)                                                                                      \
  X(intersection, fill_sorted_lists)                                                                                   \
  X(run_lengths, fill_runs)                                                                                            \
  X(utf8, fill_utf8)                                                                                                   \
  X(hash_probe, fill_hash_table)                                                                                       \
  X(insertion_sort, fill_words)                                                                                        \
  X(tokenizer, fill_text)                                                                                              \
  X(partition, fill_words)                                                                                             \
  X(varints, fill_varints)                                                                                             \
  X(match_lengths, fill_pairs)                                                                                         \
  X(collatz, fill_words)                                                                                               \
  X(calibrate_0, fill_bits)                                                                                            \
  X(calibrate_2, fill_bits)                                                                                            \
  X(calibrate_5, fill_bits)                                                                                            \
  X(calibrate_10, fill_bits)                                                                                           \
  X(calibrate_20, fill_bits)                                                                                           \
  X(calibrate_apart, fill_bits)                                                                                        \
  X(calibrate_chain, fill_bits)

#define DECLARE(name, fill) Kernel name;
KERNELS(DECLARE)

static const struct {
  const char *name;
  Kernel *kernel;
  Fill *fill;
} kernels[] = {
#define ENTRY(name, fill) {#name, name, fill},
    KERNELS(ENTRY)};

// ---- running them -------------------------------------------------------------------------------------------------
static uint64_t ticks(void) {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

/// Ticks of the time stamp counter in one core cycle, by one chain of multiplications.
static double measure_cycle(void) {
  enum { CHAIN = 20000, LATENCY = 3 };
  uint64_t value = 3;
  const uint64_t start = ticks();
  for (int i = 0; i < CHAIN / 8; ++i)
    __asm__ volatile("imulq %0, %0\nimulq %0, %0\nimulq %0, %0\nimulq %0, %0\n"
                     "imulq %0, %0\nimulq %0, %0\nimulq %0, %0\nimulq %0, %0\n"
                     : "+r"(value));
  return (double)(ticks() - start) / (CHAIN * LATENCY);
}

/// The sets continue each other's sequence.
static void prepare(Fill *fill, struct Buffers *buffers, uint32_t period, uint64_t set) {
  struct Source source = {.period = period, .seed = 1, .drawn = set * 4 * ELEMENTS};
  if (period != RANDOM && period != BIASED)
    source.drawn = set * ELEMENTS;
  fill(buffers, &source);
}

static double measure(Kernel *kernel, Fill *fill, struct Buffers *buffers, uint32_t period) {
  uint64_t fastest[SETS];
  double cycle = 1e9, sum = 0;
  memset(fastest, 0xff, sizeof fastest);
  for (int round = 0; round < ROUNDS; ++round)
    for (uint32_t set = 0; set < SETS; ++set) {
      prepare(fill, buffers, period, set);
      const double measured = measure_cycle();
      cycle = measured < cycle ? measured : cycle;
      const uint64_t start = ticks();
      kernel(buffers);
      const uint64_t time = ticks() - start;
      fastest[set] = time < fastest[set] ? time : fastest[set];
    }
  for (int set = 0; set < SETS; ++set)
    sum += (double)fastest[set];
  return sum / SETS / cycle / ELEMENTS;
}

/// Keeps the process on the CPU that it is on.
static void stay(void) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

static _Alignas(4096) uint32_t words[ELEMENTS], others[ELEMENTS], results[BYTES], table[4 * KEYS];
static _Alignas(4096) uint8_t bytes[BYTES], otherBytes[BYTES];
static _Alignas(4096) struct Node tree[KEYS];
static struct Buffers buffers = {words, others, bytes, otherBytes, results, table, tree};

int main(int count, char **arguments) {
  for (size_t i = 0; count == 4 && i < sizeof kernels / sizeof *kernels; ++i) {
    if (strcmp(kernels[i].name, arguments[2]) != 0)
      continue;
    const uint32_t period = strcmp(arguments[3], "random") == 0   ? RANDOM
                            : strcmp(arguments[3], "biased") == 0 ? BIASED
                                                                  : (uint32_t)strtoul(arguments[3], NULL, 10);
    if (strcmp(arguments[1], "measure") == 0) {
      stay();
      printf("%.4f\n", measure(kernels[i].kernel, kernels[i].fill, &buffers, period));
    } else {
      prepare(kernels[i].fill, &buffers, period, 0);
      kernels[i].kernel(&buffers);
    }
    return 0;
  }
  fputs("usage: branches run|measure KERNEL random|biased|PERIOD\n", stderr);
  return 2;
}

// What the loops read, and their functions for one footprint. FOOTPRINT is a name such as `l1`: each copy of kernels.c
// (profiles.mjs) defines it before it includes this.
#pragma once

#include <stdint.h>

struct Node {
  struct Node *next;
  uint64_t value, more[6];
};

struct Record {
  uint32_t key, value, more[30];
};

struct Polynomial {
  double coefficients[8];
};

/// The functions of a footprint; n is the number of iterations.
struct Kernels {
  void (*stream)(float *restrict y, const float *restrict x, long n);
  uint32_t (*strided)(const uint32_t *a, long n);
  uint64_t (*chase)(const struct Node *node);
  uint32_t (*gather)(const uint32_t *a, const uint32_t *index, long n);
  long (*filter)(const struct Record *records, uint32_t *found, long n, uint32_t limit);
  double (*evaluate)(const struct Polynomial *p, long n, double x);
};

#define JOINED(name, footprint) name##_##footprint
#define NAMED(name, footprint) JOINED(name, footprint)
#define KERNEL(name) NAMED(name, FOOTPRINT)

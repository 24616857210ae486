// What the kernels read and write: the same buffers for all of them, so that one driver can fill, run and time each.
#pragma once

#include <stdint.h>

enum {
  ELEMENTS = 8192, // that a kernel handles in one call
  BYTES = 131072,  // of text, output, and input of the kernels that read bytes: at most 16 for an element
  KEYS = 1024      // of the sorted table, the tree and the hash table
};

struct Node {
  uint32_t key, left, right; // left and right: indices of nodes, 0 if there is none
};

struct Buffers {
  uint32_t *words;     // ELEMENTS
  uint32_t *others;    // ELEMENTS: a second list, for kernels that compare two
  uint8_t *bytes;      // BYTES
  uint8_t *otherBytes; // BYTES
  uint32_t *results;   // BYTES
  uint32_t *table;     // 4 * KEYS
  struct Node *tree;   // KEYS
};

typedef uint64_t Kernel(struct Buffers *buffers);

// What each kernel is made of: a function of C as people write it, whose judged loop has the comment `// judged`, and a
// statement KERNEL with what a driver needs to fill its data and call it. One driver times all of them.
//
// A kernel is called with a size n. Its data fit into a first-level cache of 32 KiB: it uses at most three arrays.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  MOST = 2048, // the largest n
  // Further elements of 4 bytes: each array begins 256 bytes further into its page than the one before it. A load waits
  // for an older store whose address has the same last 12 bits. So that it seldom does, a kernel's results are in an
  // array before those that it only loads.
  SLACK = 64
};

/// An element of a list that is linked by addresses.
struct Node {
  struct Node *next;
  int64_t value;
};

/// Memory of a kernel, as what it needs: n elements of 4 bytes, 2 n of 2 bytes, and so on.
union Array {
  float f[MOST + SLACK];
  double d[(MOST + SLACK) / 2];
  int8_t s8[4 * (MOST + SLACK)];
  uint8_t u8[4 * (MOST + SLACK)];
  int16_t s16[2 * (MOST + SLACK)];
  uint16_t u16[2 * (MOST + SLACK)];
  int32_t s32[MOST + SLACK];
  uint32_t u32[MOST + SLACK];
  int64_t s64[(MOST + SLACK) / 2];
  uint64_t u64[(MOST + SLACK) / 2];
  char text[4 * (MOST + SLACK)];
  struct Node nodes[(MOST + SLACK) / 4];
};

/// All zero before a kernel's data are set up.
extern union Array A, B, C, D;

// ---- values for whole arrays --------------------------------------------------------------------------------------
void randomFloats(union Array *array);              // in [0.5, 1.5), so that no sum or product becomes denormal
void randomDoubles(union Array *array);             // in [0.5, 1.5)
void randomBits(union Array *array);                // any
void randomBelow(union Array *array, uint32_t end); // 32-bit numbers in [0, end)
void randomBytesBelow(union Array *array, uint32_t end);
void randomShortsBelow(union Array *array, uint32_t end);
void permutation(union Array *array, uint32_t count); // of the 32-bit numbers in [0, count)
void linkAll(union Array *array, uint32_t count);     // the nodes, in random order, the last one to nothing

struct Kernel {
  const char *name;
  void (*prepare)(int n);
  void (*call)(int n);
  long (*executions)(int n); // of the judged loop's body in one call
};

/// Declares the kernel of a function. `executions`: of the body of the judged loop in one call; `setup`: statements
/// that fill its data; `arguments`: of its call, in parentheses. All may use n. The driver finds it in a section of the
/// program. The call goes through a pointer that the compiler does not know, so that the function is compiled as in any
/// other file.
#define KERNEL(function, executions, setup, arguments)                                                                 \
  static __typeof__(function) *volatile pointer_##function = function;                                                 \
  static void prepare_##function(int n) {                                                                              \
    (void)n, setup;                                                                                                    \
  }                                                                                                                    \
  static void call_##function(int n) {                                                                                 \
    (void)n, pointer_##function arguments;                                                                             \
  }                                                                                                                    \
  static long count_##function(int n) {                                                                                \
    return executions;                                                                                                 \
  }                                                                                                                    \
  static const struct Kernel kernel_##function = {#function, prepare_##function, call_##function, count_##function};   \
  static const struct Kernel *const entry_##function __attribute__((used, section("kernels"))) = &kernel_##function;

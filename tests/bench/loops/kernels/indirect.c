// Gathers, scatters, tables and lists: addresses that come from memory.
#include "../kernels.h"

void gather_floats(int n, float *restrict out, const float *restrict in, const int *restrict index) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[index[i]];
}
KERNEL(gather_floats, n, (randomFloats(&B), permutation(&C, n)), (n, A.f, B.f, C.s32))

double gather_sum(int n, const double *in, const int *index) {
  double sum = 0;
  for (int i = 0; i < n; ++i) // judged
    sum += in[index[i]];
  return sum;
}
KERNEL(gather_sum, n / 2, (randomDoubles(&A), permutation(&B, n / 2)), (n / 2, A.d, B.s32))

void scatter_ints(int n, int *restrict out, const int *restrict in, const int *restrict index) {
  for (int i = 0; i < n; ++i) // judged
    out[index[i]] = in[i];
}
KERNEL(scatter_ints, n, (randomBits(&B), permutation(&C, n)), (n, A.s32, B.s32, C.s32))

void scatter_add(int n, float *out, const float *in, const int *index) {
  for (int i = 0; i < n; ++i) // judged
    out[index[i]] += in[i];
}
KERNEL(scatter_add, n, permutation(&C, n), (n, A.f, B.f, C.s32))

void translate(unsigned char *text, size_t length, const unsigned char table[256]) {
  for (size_t i = 0; i < length; ++i) // judged
    text[i] = table[text[i]];
}
KERNEL(translate, n, (randomBits(&A), randomBits(&B)), (A.u8, (size_t)n, B.u8))

void gather_twice(int n, int *restrict out, const int *restrict in, const uint16_t *restrict outer,
                  const uint16_t *restrict inner) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[outer[inner[i]]];
}
KERNEL(gather_twice, n, (randomBits(&B), randomShortsBelow(&C, n), randomShortsBelow(&D, n)),
       (n, A.s32, B.s32, C.u16, D.u16))

float sparse_dot(const float *values, const int *columns, int n, const float *x) {
  float dot = 0;
  for (int i = 0; i < n; ++i) // judged
    dot += values[i] * x[columns[i]];
  return dot;
}
KERNEL(sparse_dot, n, (randomFloats(&A), permutation(&B, n), randomFloats(&C)), (A.f, B.s32, n, C.f))

int64_t sum_list(const struct Node *node) {
  int64_t sum = 0;
  while (node) { // judged
    sum += node->value;
    node = node->next;
  }
  return sum;
}
KERNEL(sum_list, n / 4, linkAll(&A, n / 4), (A.nodes))

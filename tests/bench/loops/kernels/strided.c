// Strided and interleaved data: fields of structures, channels, every k-th element, backwards.
#include "../kernels.h"

int sum_every_fourth(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i += 4) // judged
    sum += x[i];
  return sum;
}
KERNEL(sum_every_fourth, n / 4, randomBelow(&A, 1000), (A.s32, n))

void split_channels(int16_t *restrict left, int16_t *restrict right, const int16_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    left[i] = in[2 * i];
    right[i] = in[2 * i + 1];
  }
}
KERNEL(split_channels, n, randomBits(&C), (A.s16, B.s16, C.s16, n))

void join_channels(float *restrict out, const float *restrict left, const float *restrict right, int n) {
  for (int i = 0; i < n; ++i) { // judged
    out[2 * i] = left[i];
    out[2 * i + 1] = right[i];
  }
}
KERNEL(join_channels, n / 2, (randomFloats(&B), randomFloats(&C)), (A.f, B.f, C.f, n / 2))

void grey_of_rgb(uint8_t *restrict grey, const uint8_t *restrict rgb, int n) {
  for (int i = 0; i < n; ++i) // judged
    grey[i] = (uint8_t)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8);
}
KERNEL(grey_of_rgb, n, randomBits(&B), (A.u8, B.u8, n))

struct Particle {
  float x, y, vx, vy;
};

void move_particles(struct Particle *particles, int n, float time) {
  for (int i = 0; i < n; ++i) { // judged
    particles[i].x += particles[i].vx * time;
    particles[i].y += particles[i].vy * time;
  }
}
KERNEL(move_particles, n / 4, randomFloats(&A), ((struct Particle *)A.f, n / 4, 1e-9f))

struct Record {
  int64_t key;
  int32_t amount, flags;
};

int64_t sum_amounts(const struct Record *records, size_t n) {
  int64_t sum = 0;
  for (size_t i = 0; i < n; ++i) // judged
    sum += records[i].amount;
  return sum;
}
KERNEL(sum_amounts, n / 4, randomBits(&A), ((struct Record *)A.s64, (size_t)n / 4))

void scale_every_second(float *restrict out, const float *restrict in, int n, float factor) {
  for (int i = 0; i < n; i += 2) // judged
    out[i] = factor * in[i];
}
KERNEL(scale_every_second, n / 2, randomFloats(&B), (A.f, B.f, n, 1.5f))

void copy_backwards(int *restrict out, const int *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[n - 1 - i];
}
KERNEL(copy_backwards, n, randomBits(&B), (A.s32, B.s32, n))

// One file that is included several times: each inclusion is a place of its own, and so is each function.
void combine(float *restrict values, const float *restrict others, int count) {
#define COMBINE(a, b) ((a) + (b))
#include "include_several_times.inc" // hint
#define COMBINE(a, b) ((a) * (b))
#include "include_several_times.inc" // hint?
#define COMBINE(a, b) ((a) / (b))
#include "include_several_times.inc" // hint?
}

void subtract(float *restrict values, const float *restrict others, int count) {
#define COMBINE(a, b) ((a) - (b))
#include "include_several_times.inc" // hint
}

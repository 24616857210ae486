// Functions for several types out of one file: the loops are that file's; where they are inlined, the calls show them.
#define TYPE int
#define NAME largestInt
#include "include_for_types.inc"
#define TYPE float
#define NAME largestFloat
#include "include_for_types.inc"
#define TYPE unsigned char
#define NAME largestByte
#include "include_for_types.inc"

int rangeOfInts(const int *values, int count, int smallest) {
  return largestInt(values, count) - smallest; // hint?
}

float normalise(float *values, int count) {
  const float largest = largestFloat(values, count); // hint?
  for (int i = 0; i < count; ++i) // hint
    values[i] /= largest;
  return largest;
}

int contrast(const unsigned char *pixels, int count) {
  int smallest = 255;
  for (int i = 0; i < count; ++i) // hint
    smallest = pixels[i] < smallest ? pixels[i] : smallest;
  return largestByte(pixels, count) - smallest; // hint?
}

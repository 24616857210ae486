// Every second element, every n-th, and two steps forward for one of the other.
float everySecond(const float *values, int count) {
  float sum = 0;
  for (int i = 0; i < count; i += 2) // hint
    sum += values[i];
  return sum;
}

int everyNth(const int *values, long count, long stride) {
  int sum = 0;
  for (long i = 0; i < count; i += stride) // hint
    sum ^= values[i];
  return sum;
}

void stereoToMono(short *mono, const short *stereo, int frames) {
  for (int i = 0; i < frames; i++) // hint
    mono[i] = (short)((stereo[2 * i] + stereo[2 * i + 1]) / 2);
}

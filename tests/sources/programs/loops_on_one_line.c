// Loops whose head, body and neighbours share a line.
int sum(const int *values, int count) { int sum = 0; for (int i = 0; i < count; ++i) sum += values[i]; return sum; } // hint

// Two on one line.
void addTwice(int *a, const int *b, int n) { int i; for (i = 0; i < n; ++i) a[i] += b[i]; for (i = 0; i < n; ++i) a[i] *= b[i]; } // hint

// One in the other, on one line.
int grid(const int *v, int w, int h) { int s = 0; for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) s ^= v[y * w + x]; return s; } // hint

int untilZero(const int *v) { int n = 0; while (v[n]) n++; return n; } // hint?

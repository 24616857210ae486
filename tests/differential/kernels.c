/* Small loops of many kinds, for the compiler to make real code of. Nothing is included and nothing is called. */
typedef unsigned char Byte;
typedef unsigned int Word;
typedef unsigned long long Long;

float dotProduct(const float *a, const float *b, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

void scaledAdd(double *restrict y, const double *restrict x, double a, int count) {
  for (int i = 0; i < count; ++i)
    y[i] += a * x[i];
}

void multiplyMatrices(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int lengthOf(const char *text) {
  int length = 0;
  while (text[length])
    ++length;
  return length;
}

int find(const Byte *bytes, int count, Byte wanted) {
  for (int i = 0; i < count; ++i)
    if (bytes[i] == wanted)
      return i;
  return -1;
}

void prefixSums(int *values, int count) {
  for (int i = 1; i < count; ++i)
    values[i] += values[i - 1];
}

void filter(float *restrict out, const float *restrict in, const float *restrict taps, int count) {
  for (int i = 0; i < count; ++i) {
    float sum = 0;
    for (int tap = 0; tap < 8; ++tap)
      sum += in[i + tap] * taps[tap];
    out[i] = sum;
  }
}

int largest(const int *values, int count) {
  int best = values[0];
  for (int i = 1; i < count; ++i)
    best = values[i] > best ? values[i] : best;
  return best;
}

void histogram(Word *counts, const Byte *bytes, int count) {
  for (int i = 0; i < count; ++i)
    ++counts[bytes[i]];
}

Word checksum(const Byte *bytes, int count) {
  Word crc = ~0u;
  for (int i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}

int collatz(Word value) {
  int steps = 0;
  for (; value > 1; ++steps)
    value = value & 1 ? 3 * value + 1 : value / 2;
  return steps;
}

int partition(int *values, int count, int pivot) {
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (values[i] < pivot) {
      const int value = values[i];
      values[i] = values[kept];
      values[kept++] = value;
    }
  return kept;
}

int lowerBound(const int *values, int count, int wanted) {
  int first = 0;
  while (count > 0) {
    const int half = count / 2;
    if (values[first + half] < wanted) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

void multiplyComplex(float *restrict out, const float *restrict a, const float *restrict b, int count) {
  for (int i = 0; i < count; ++i) {
    out[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    out[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  }
}

Word hash(const Byte *bytes, int count) {
  Word value = 2166136261u;
  for (int i = 0; i < count; ++i)
    value = (value ^ bytes[i]) * 16777619u;
  return value;
}

void transpose(int *restrict out, const int *restrict in, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[j * n + i] = in[i * n + j];
}

int parseNumber(const char *text) {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    value = 10 * value + (*text - '0');
  return value;
}

struct Node {
  struct Node *next;
  int value;
};

int sumList(const struct Node *node) {
  int sum = 0;
  for (; node; node = node->next)
    sum += node->value;
  return sum;
}

Word greatestCommonDivisor(Word a, Word b) {
  while (b) {
    const Word rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int interpret(const Byte *code, int count, int accumulator) {
  for (int i = 0; i < count; ++i)
    switch (code[i]) {
    case 0:
      accumulator += 7;
      break;
    case 1:
      accumulator *= 5;
      break;
    case 2:
      accumulator ^= accumulator << 3;
      break;
    case 3:
      accumulator -= i;
      break;
    case 4:
      accumulator = ~accumulator;
      break;
    case 5:
      accumulator >>= 1;
      break;
    default:
      accumulator &= 0xffff;
    }
  return accumulator;
}

double horner(double x, const double *coefficients, int count) {
  double value = 0;
  for (int i = 0; i < count; ++i)
    value = value * x + coefficients[i];
  return value;
}

void toBytes(Byte *restrict out, const float *restrict in, int count) {
  for (int i = 0; i < count; ++i) {
    const float clamped = in[i] < 0 ? 0 : in[i] > 255 ? 255 : in[i];
    out[i] = (Byte)clamped;
  }
}

Long mix(Long value, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdull;
  }
  return value;
}

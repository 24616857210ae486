/* Routines of many kinds beside the loops of kernels.c: bits, text, atomics, wide integers, structs, recursion,
   vectors. Nothing is included, and nothing from outside is called. LLVM crashes on a call of SystemZ. */
#ifndef __s390x__
#define HAS_CALLS 1
#endif
typedef unsigned char Byte;
typedef unsigned short Half;
typedef unsigned int Word;
typedef unsigned long long Long;

/* ---- bits ---- */

int countBits(const Long *words, int count) {
  int bits = 0;
  for (int i = 0; i < count; ++i)
    bits += __builtin_popcountll(words[i]);
  return bits;
}

int sumOfLogarithms(const Word *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i] ? 31 - __builtin_clz(values[i]) : __builtin_ctz(values[i] | 1);
  return sum;
}

Word reverseBits(Word value) {
  value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
  value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(value);
}

Long interleaveBits(Word x, Word y) {
  Long result = 0;
  for (int bit = 0; bit < 32; ++bit)
    result |= (Long)(x >> bit & 1) << 2 * bit | (Long)(y >> bit & 1) << (2 * bit + 1);
  return result;
}

static Word rotated(Word value, int count) {
  return value << count | value >> (32 - count);
}

void quarterRounds(Word *state, int rounds) {
  Word a = state[0], b = state[1], c = state[2], d = state[3];
  for (int i = 0; i < rounds; ++i) {
    a += b;
    d = rotated(d ^ a, 16);
    c += d;
    b = rotated(b ^ c, 12);
    a += b;
    d = rotated(d ^ a, 8);
    c += d;
    b = rotated(b ^ c, 7);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

struct Flags {
  Word kind : 3;
  Word length : 11;
  Word valid : 1;
  Word owner : 17;
};

int updateFlags(struct Flags *flags, int count) {
  int changed = 0;
  for (int i = 0; i < count; ++i)
    if (flags[i].valid && flags[i].kind == 5) {
      flags[i].length += 3;
      flags[i].owner ^= flags[i].kind;
      ++changed;
    }
  return changed;
}

/* ---- text ---- */

int compareTexts(const char *a, const char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return (Byte)*a - (Byte)*b;
}

void toUpperCase(char *text, int length) {
  for (int i = 0; i < length; ++i)
    if (text[i] >= 'a' && text[i] <= 'z')
      text[i] = (char)(text[i] - 'a' + 'A');
}

void reverseBytes(Byte *bytes, int count) {
  for (int i = 0, j = count - 1; i < j; ++i, --j) {
    const Byte byte = bytes[i];
    bytes[i] = bytes[j];
    bytes[j] = byte;
  }
}

int countCharacters(const Byte *utf8, int size) {
  int count = 0;
  for (int i = 0; i < size; ++i)
    count += (utf8[i] & 0xc0) != 0x80;
  return count;
}

void encodeBase64(char *restrict out, const Byte *restrict in, const char *restrict alphabet, int groups) {
  for (int i = 0; i < groups; ++i, in += 3, out += 4) {
    const Word bits = (Word)in[0] << 16 | (Word)in[1] << 8 | in[2];
    out[0] = alphabet[bits >> 18];
    out[1] = alphabet[bits >> 12 & 63];
    out[2] = alphabet[bits >> 6 & 63];
    out[3] = alphabet[bits & 63];
  }
}

char *printDecimal(char *end, Word value) {
  do {
    *--end = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  return end;
}

int decodeVariableLength(Long *restrict out, const Byte *restrict in, int count) {
  const Byte *at = in;
  for (int i = 0; i < count; ++i) {
    Long value = 0;
    int shift = 0;
    do
      value |= (Long)(*at & 0x7f) << shift, shift += 7;
    while (*at++ & 0x80);
    out[i] = value;
  }
  return (int)(at - in);
}

int countFields(const char *text, int length) {
  enum { Start, Plain, Quoted, AfterQuote } state = Start;
  int fields = 0;
  for (int i = 0; i < length; ++i)
    switch (state) {
    case Start:
      state = text[i] == '"' ? Quoted : text[i] == ',' ? Start : Plain;
      fields += text[i] == ',';
      break;
    case Plain:
      if (text[i] == ',')
        ++fields, state = Start;
      break;
    case Quoted:
      if (text[i] == '"')
        state = AfterQuote;
      break;
    case AfterQuote:
      state = text[i] == '"' ? Quoted : Plain;
      break;
    }
  return fields;
}

Word adler(const Byte *bytes, int count) {
  Word a = 1, b = 0;
  for (int i = 0; i < count; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

Word checksumByTable(const Word *table, const Byte *bytes, int count) {
  Word crc = ~0u;
  for (int i = 0; i < count; ++i)
    crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
  return ~crc;
}

/* ---- memory ---- */

void gather(float *restrict out, const float *restrict in, const int *restrict index, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = in[index[i]];
}

void scatterAdd(int *out, const int *values, const Half *index, int count) {
  for (int i = 0; i < count; ++i)
    out[index[i]] += values[i];
}

void everyThird(double *restrict out, const double *restrict in, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = in[3 * i];
}

Word sumUnaligned(const Byte *bytes, int count) {
  Word sum = 0;
  for (int i = 0; i < count; ++i) {
    Word word;
    __builtin_memcpy(&word, bytes + 5 * i, sizeof word);
    sum += word;
  }
  return sum;
}

long prefetchedSum(const long *const *lists, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    __builtin_prefetch(lists[i + 8]);
    sum += lists[i][0] + lists[i][7];
  }
  return sum;
}

int lookUp(const Word *keys, const int *values, Word mask, Word key) {
  for (Word slot = key * 2654435761u & mask; keys[slot]; slot = (slot + 1) & mask)
    if (keys[slot] == key)
      return values[slot];
  return -1;
}

struct Tree {
  struct Tree *left, *right;
  int key;
};

const struct Tree *findInTree(const struct Tree *tree, int key) {
  while (tree && tree->key != key)
    tree = key < tree->key ? tree->left : tree->right;
  return tree;
}

/* ---- sorting ---- */

void insertionSort(int *values, int count) {
  for (int i = 1; i < count; ++i) {
    const int value = values[i];
    int at = i;
    for (; at > 0 && values[at - 1] > value; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
}

void siftDown(int *heap, int count) {
  for (int at = 0, child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1] > heap[child])
      ++child;
    if (heap[at] >= heap[child])
      return;
    const int value = heap[at];
    heap[at] = heap[child];
    heap[child] = value;
  }
}

/* ---- atomics ---- */

void countEvents(Word *counters, const Byte *events, int count) {
  for (int i = 0; i < count; ++i)
    __atomic_fetch_add(&counters[events[i]], 1, __ATOMIC_RELAXED);
}

Word takeTicket(Word *lock, Word limit) {
  Word now = __atomic_load_n(lock, __ATOMIC_ACQUIRE);
  while (now < limit && !__atomic_compare_exchange_n(lock, &now, now + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    ;
  return now;
}

void publish(Word *flag, Word *data, Word value) {
  *data = value;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

/* ---- wide integers and division ---- */

#ifdef __SIZEOF_INT128__
Long highProduct(Long a, Long b) {
  return (Long)((unsigned __int128)a * b >> 64);
}

void addWide(unsigned __int128 *sums, const unsigned __int128 *terms, int count) {
  for (int i = 0; i < count; ++i)
    sums[i] += terms[i] << 3;
}
#endif

void addCarries(Long *restrict sum, const Long *restrict a, const Long *restrict b, int count) {
  unsigned carry = 0;
  for (int i = 0; i < count; ++i) {
    const Long partial = a[i] + carry;
    carry = partial < a[i];
    sum[i] = partial + b[i];
    carry += sum[i] < partial;
  }
}

Word powerModulo(Word base, Word exponent, Word modulus) {
  Word result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

int digitSum(int value) {
  int sum = 0;
  for (; value; value /= 7)
    sum += value % 7;
  return sum;
}

/* ---- floating point ---- */

int escapeTime(float re, float im, int limit) {
  float x = 0, y = 0;
  int steps = 0;
  for (; steps < limit && x * x + y * y < 4; ++steps) {
    const float next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
  }
  return steps;
}

float inverseRoot(float value) {
  union {
    float number;
    Word bits;
  } guess = {value};
  guess.bits = 0x5f3759dfu - (guess.bits >> 1);
  for (int i = 0; i < 2; ++i)
    guess.number *= 1.5f - 0.5f * value * guess.number * guess.number;
  return guess.number;
}

void normalise(double *values, double scale, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = values[i] / (scale + values[i] * values[i]);
}

void stencil(float *restrict out, const float *restrict in, int width, int height) {
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x)
      out[y * width + x] = 0.2f * (in[y * width + x] + in[y * width + x - 1] + in[y * width + x + 1] +
                                   in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

void solveTriangle(float *restrict x, const float *restrict matrix, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      x[i] -= matrix[i * n + j] * x[j];
    x[i] /= matrix[i * n + i];
  }
}

void toIntegers(int *restrict out, const double *restrict in, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = (int)(in[i] < 0 ? in[i] - 0.5 : in[i] + 0.5);
}

/* ---- small structs ---- */

struct Vector {
  float x, y, z;
};

struct Vector cross(struct Vector a, struct Vector b) {
  return (struct Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Pair {
  int least, most;
};

struct Pair range(const int *values, int count) {
  struct Pair pair = {values[0], values[0]};
  for (int i = 1; i < count; ++i) {
    pair.least = values[i] < pair.least ? values[i] : pair.least;
    pair.most = values[i] > pair.most ? values[i] : pair.most;
  }
  return pair;
}

/* ---- small integers in vectors ---- */

void blend(Byte *restrict out, const Byte *restrict a, const Byte *restrict b, Byte weight, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = (Byte)((a[i] * weight + b[i] * (255 - weight) + 128) >> 8);
}

void addSaturated(short *restrict out, const short *restrict a, const short *restrict b, int count) {
  for (int i = 0; i < count; ++i) {
    const int sum = a[i] + b[i];
    out[i] = (short)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}

int sumOfDifferences(const Byte *restrict a, const Byte *restrict b, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
  return sum;
}

int dotOfBytes(const signed char *restrict a, const signed char *restrict b, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

typedef float FourFloats __attribute__((vector_size(16)));
typedef int FourInts __attribute__((vector_size(16)));

void rotateAndAdd(FourFloats *restrict out, const FourFloats *restrict in, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = in[i] * 0.5f + __builtin_shufflevector(in[i], in[i], 1, 2, 3, 0);
}

void selectLarger(FourInts *restrict out, const FourInts *restrict a, const FourInts *restrict b, int count) {
  for (int i = 0; i < count; ++i) {
    const FourInts larger = a[i] > b[i];
    out[i] = (a[i] & larger) | (b[i] & ~larger);
  }
}

/* ---- calls ---- */

#ifdef HAS_CALLS
__attribute__((noinline)) int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static int leaf(int value) {
  return value * value + 1;
}

int sumOfCalls(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += leaf(values[i]);
  return sum;
}

void quickSort(int *first, int *last) {
  while (first < last) {
    int *left = first, *right = last;
    const int pivot = first[(last - first) / 2];
    while (left <= right) {
      for (; *left < pivot; ++left)
        ;
      for (; *right > pivot; --right)
        ;
      if (left <= right) {
        const int value = *left;
        *left++ = *right;
        *right-- = value;
      }
    }
    quickSort(first, right);
    first = left;
  }
}
#endif

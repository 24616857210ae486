// Loops as programs have them, each with a branch that depends on its data. They are written for a reader, not for the
// simulator: what the compiler makes of them is what is measured and simulated.
#include "kernels.h"

/// Counts the values of the upper half by their leading bits.
uint64_t skip(struct Buffers *buffers) {
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    if (buffers->words[i] >> 31)
      ++buffers->results[buffers->words[i] >> 24 & 63];
  return 0;
}

/// Copies the values below a limit.
uint64_t filter(struct Buffers *buffers) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    if (buffers->words[i] < 0x80000000)
      buffers->results[kept++] = buffers->words[i];
  return kept;
}

/// Finds each key in a sorted table.
uint64_t binary_search(struct Buffers *buffers) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t key = buffers->words[i];
    uint32_t low = 0, high = KEYS;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (buffers->table[middle] == key) {
        ++found;
        break;
      }
      if (buffers->table[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    buffers->results[i] = low;
  }
  return found;
}

/// Finds each key in a binary tree.
uint64_t tree_search(struct Buffers *buffers) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t key = buffers->words[i];
    uint32_t node = 1;
    while (node) {
      if (key == buffers->tree[node].key) {
        ++found;
        break;
      }
      if (key < buffers->tree[node].key)
        node = buffers->tree[node].left;
      else
        node = buffers->tree[node].right;
    }
  }
  return found;
}

/// Runs the operations of a small stack machine.
uint64_t interpreter(struct Buffers *buffers) {
  uint32_t stack[64] = {1};
  uint32_t top = 0, accumulator = 1;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    switch (buffers->bytes[i]) {
    case 0:
      accumulator += stack[top];
      break;
    case 1:
      accumulator ^= i;
      break;
    case 2:
      top = (top + 1) & 63;
      stack[top] = accumulator;
      break;
    case 3:
      accumulator = stack[top];
      top = (top - 1) & 63;
      break;
    case 4:
      accumulator *= 3;
      break;
    case 5:
      accumulator = accumulator << 7 | accumulator >> 25;
      break;
    case 6:
      buffers->results[top] = accumulator;
      break;
    case 7:
      accumulator -= buffers->results[accumulator & 63];
      break;
    }
  }
  return accumulator;
}

/// Lengths of strings that end with a zero byte, by a loop over each.
uint64_t string_lengths(struct Buffers *buffers) {
  const uint8_t *text = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint8_t *start = text;
    while (*text && *text != '/')
      ++text;
    buffers->results[i] = (uint32_t)(text - start);
    ++text;
  }
  return 0;
}

/// Values that two sorted lists have in common.
uint64_t intersection(struct Buffers *buffers) {
  const uint32_t *a = buffers->words, *b = buffers->others;
  const uint32_t *endA = a + ELEMENTS, *endB = b + ELEMENTS;
  uint32_t *out = buffers->results;
  while (a < endA && b < endB) {
    if (*a < *b) {
      ++a;
    } else if (*b < *a) {
      ++b;
    } else {
      *out++ = *a++;
      ++b;
    }
  }
  return (uint64_t)(out - buffers->results);
}

/// Expands pairs of a length and a value, adding them to what is there.
uint64_t run_lengths(struct Buffers *buffers) {
  uint32_t *out = buffers->results;
  const uint8_t *pair = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i, pair += 2)
    for (uint32_t left = pair[0]; left > 0; --left)
      *out++ += pair[1];
  return (uint64_t)(out - buffers->results);
}

/// Decodes UTF-8 that is known to be valid.
uint64_t utf8(struct Buffers *buffers) {
  const uint8_t *in = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t lead = in[0];
    uint32_t code;
    if (lead < 0x80) {
      code = lead;
      in += 1;
    } else if (lead < 0xe0) {
      code = (lead & 31) << 6 | (in[1] & 63);
      in += 2;
    } else if (lead < 0xf0) {
      code = (lead & 15) << 12 | (in[1] & 63u) << 6 | (in[2] & 63);
      in += 3;
    } else {
      code = (lead & 7) << 18 | (in[1] & 63u) << 12 | (in[2] & 63u) << 6 | (in[3] & 63);
      in += 4;
    }
    buffers->results[i] = code;
  }
  return 0;
}

/// Looks keys up in a hash table with linear probing.
uint64_t hash_probe(struct Buffers *buffers) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint32_t key = buffers->words[i];
    uint32_t slot = key * 2654435769u >> 21;
    while (buffers->table[slot] && buffers->table[slot] != key)
      slot = (slot + 1) % (2 * KEYS);
    if (buffers->table[slot])
      ++found;
    buffers->results[i] = slot;
  }
  return found;
}

/// Sorts groups of eight by insertion.
uint64_t insertion_sort(struct Buffers *buffers) {
  for (uint32_t *group = buffers->words; group < buffers->words + ELEMENTS; group += 8)
    for (int i = 1; i < 8; ++i) {
      const uint32_t value = group[i];
      int hole = i;
      while (hole > 0 && group[hole - 1] > value) {
        group[hole] = group[hole - 1];
        --hole;
      }
      group[hole] = value;
    }
  return 0;
}

/// Splits text into words, numbers and single characters.
uint64_t tokenizer(struct Buffers *buffers) {
  const uint8_t *in = buffers->bytes;
  uint32_t *out = buffers->results;
  while (*in) {
    if (*in == ' ') {
      ++in;
    } else if ((*in | 32) >= 'a' && (*in | 32) <= 'z') {
      uint32_t hash = 5381;
      while ((*in | 32) >= 'a' && (*in | 32) <= 'z')
        hash = hash * 33 + *in++;
      *out++ = hash;
    } else if (*in >= '0' && *in <= '9') {
      uint32_t number = 0;
      while (*in >= '0' && *in <= '9')
        number = number * 10 + (uint32_t)(*in++ - '0');
      *out++ = number;
    } else {
      *out++ = *in++;
    }
  }
  return (uint64_t)(out - buffers->results);
}

/// The partition step of quickselect (Hoare), over groups of 256.
uint64_t partition(struct Buffers *buffers) {
  uint64_t sum = 0;
  for (uint32_t *group = buffers->words; group < buffers->words + ELEMENTS; group += 256) {
    uint32_t *low = group, *high = group + 255;
    for (;;) {
      while (low < high && *low < 0x80000000)
        ++low;
      while (low < high && *high >= 0x80000000)
        --high;
      if (low >= high)
        break;
      const uint32_t value = *low;
      *low = *high;
      *high = value;
    }
    sum += (uint64_t)(low - group);
  }
  return sum;
}

/// Decodes integers of one to five bytes (LEB128).
uint64_t varints(struct Buffers *buffers) {
  const uint8_t *in = buffers->bytes;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    uint32_t value = 0, shift = 0;
    while (*in & 0x80) {
      value |= (*in++ & 0x7fu) << shift;
      shift += 7;
    }
    buffers->results[i] = value | (uint32_t)*in++ << shift;
  }
  return 0;
}

/// Lengths of the common start of pairs of strings of at most eight bytes.
uint64_t match_lengths(struct Buffers *buffers) {
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint8_t *a = buffers->bytes + 8 * i, *b = buffers->otherBytes + 8 * i;
    uint32_t length = 0;
    while (length < 8 && a[length] == b[length])
      ++length;
    buffers->results[i] = length;
  }
  return 0;
}

/// Steps of Collatz's sequence, until a value is below its start.
uint64_t collatz(struct Buffers *buffers) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < ELEMENTS; ++i) {
    const uint64_t start = (buffers->words[i] >> 8) + 2;
    uint64_t value = start;
    do {
      if (value & 1) {
        value = 3 * value + 1;
        ++steps;
      }
      value /= 2;
    } while (value >= start);
  }
  return steps;
}

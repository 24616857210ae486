// Integers twice as wide as a register.
typedef unsigned long long Word;
typedef unsigned __int128 Wide;

Word addLong(Word *to, const Word *by, int words) {
  Word carry = 0;
  for (int i = 0; i < words; ++i) { // hint
    const Wide sum = (Wide)to[i] + by[i] + carry;
    to[i] = (Word)sum;
    carry = (Word)(sum >> 64);
  }
  return carry;
}

Word multiplyBy(Word *number, Word factor, int words) {
  Wide carry = 0;
  for (int i = 0; i < words; ++i) { // hint
    carry += (Wide)number[i] * factor;
    number[i] = (Word)carry;
    carry >>= 64;
  }
  return (Word)carry;
}

Wide sumOf(const Wide *values, int count) {
  Wide sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

// Numbers to text and back.
#include <cstdint>

char *writeDecimal(uint64_t number, char *end) {
  do { // hint
    *--end = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number);
  return end;
}

char *writePairs(uint32_t number, char *end) {
  static const char kPairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142"
                               "43444546474849505152535455565758596061626364656667686970717273747576777879808182838485"
                               "8687888990919293949596979899";
  while (number >= 100) { // hint
    const uint32_t pair = number % 100 * 2;
    number /= 100;
    *--end = kPairs[pair + 1];
    *--end = kPairs[pair];
  }
  if (number < 10) {
    *--end = static_cast<char>('0' + number);
    return end;
  }
  *--end = kPairs[number * 2 + 1];
  *--end = kPairs[number * 2];
  return end;
}

void writeHex(const uint8_t *bytes, int count, char *to) {
  for (int i = 0; i < count; ++i) { // hint
    *to++ = "0123456789abcdef"[bytes[i] >> 4];
    *to++ = "0123456789abcdef"[bytes[i] & 15];
  }
}

bool readDecimal(const char *text, uint64_t &number) {
  number = 0;
  for (; *text; ++text) { // hint
    const unsigned digit = static_cast<unsigned char>(*text) - '0';
    if (digit > 9 || number > (UINT64_MAX - digit) / 10)
      return false;
    number = number * 10 + digit;
  }
  return true;
}

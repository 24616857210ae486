// Text, character by character.
#include "../kernels.h"

void to_upper(char *text, size_t length) {
  for (size_t i = 0; i < length; ++i) // judged
    if (text[i] >= 'a' && text[i] <= 'z')
      text[i] -= 'a' - 'A';
}
KERNEL(to_upper, 4 * n, memset(&A, '-', sizeof A), (A.text, (size_t)n * 4))

int count_lines(const char *text, int length) {
  int lines = 0;
  for (int i = 0; i < length; ++i) // judged
    lines += text[i] == '\n';
  return lines;
}
KERNEL(count_lines, 4 * n, randomBytesBelow(&A, 99), (A.text, 4 * n))

const char *skip_to_colon(const char *text) {
  while (*text && *text != ':') // judged
    ++text;
  return text;
}
KERNEL(skip_to_colon, n, (memset(&A, 'x', sizeof A), A.text[n] = ':'), (A.text))

void copy_string(char *restrict to, const char *restrict from) {
  while ((*to++ = *from++)) // judged
    ;
}
KERNEL(copy_string, n + 1, (memset(&B, 'x', sizeof B), B.text[n] = 0), (A.text, B.text))

uint64_t parse_number(const char *text) {
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) // judged
    value = value * 10 + (uint64_t)(*text - '0');
  return value;
}
KERNEL(parse_number, n, (memset(&A, '7', sizeof A), A.text[n] = 0), (A.text))

void encode_hex(char *restrict out, const uint8_t *restrict in, int n) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < n; ++i) { // judged
    out[2 * i] = digits[in[i] >> 4];
    out[2 * i + 1] = digits[in[i] & 15];
  }
}
KERNEL(encode_hex, 2 * n, randomBits(&B), (A.text, B.u8, 2 * n))

void reverse_string(char *text, int length) {
  for (int i = 0, j = length - 1; i < j; ++i, --j) { // judged
    const char other = text[i];
    text[i] = text[j];
    text[j] = other;
  }
}
KERNEL(reverse_string, n / 2, randomBits(&A), (A.text, n))

int count_words(const char *text, int length) {
  int words = 0, wasSpace = 1;
  for (int i = 0; i < length; ++i) { // judged
    const int isSpace = text[i] == ' ';
    words += wasSpace & !isSpace;
    wasSpace = isSpace;
  }
  return words;
}
KERNEL(count_words, 4 * n, randomBytesBelow(&A, 40), (A.text, 4 * n))

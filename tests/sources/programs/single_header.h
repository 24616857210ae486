// A library in one header, for single_header.c: declarations, and with SINGLE_HEADER_IMPLEMENTATION the code.
#ifndef SINGLE_HEADER_H
#define SINGLE_HEADER_H

unsigned sh_hash(const char *text);
int sh_compare(const char *a, const char *b);

static inline __attribute__((always_inline)) int sh_isBlank(const char *text) {
  while (*text == ' ')
    ++text;
  return !*text;
}

#endif

#ifdef SINGLE_HEADER_IMPLEMENTATION
unsigned sh_hash(const char *text) {
  unsigned hash = 5381;
  while (*text)
    hash = hash * 33 + (unsigned char)*text++;
  return hash;
}

int sh_compare(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b)
    ;
  return *a - *b;
}
#endif

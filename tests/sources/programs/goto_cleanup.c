// Error handling: labels of the same names in functions that look alike, with loops in front of them and behind.
typedef struct {
  const unsigned char *at;
  const unsigned char *end;
} Reader;

int readNumber(Reader *reader, unsigned *number) {
  unsigned result = 0;
  if (reader->at == reader->end)
    goto fail;
  while (reader->at != reader->end && *reader->at != ';') { // hint
    const unsigned digit = *reader->at - '0';
    if (digit > 9)
      goto fail;
    result = result * 10 + digit;
    ++reader->at;
  }
  *number = result;
  goto done;
fail:
  *number = 0;
  return -1;
done:
  return 0;
}

int readHex(Reader *reader, unsigned *number) {
  unsigned result = 0;
  int digits = 0;
  for (; reader->at != reader->end; ++reader->at) { // hint
    const unsigned c = *reader->at;
    unsigned digit;
    if (c - '0' < 10)
      digit = c - '0';
    else if ((c | 32) - 'a' < 6)
      digit = (c | 32) - 'a' + 10;
    else
      goto done;
    if (result >> 28)
      goto fail;
    ++digits;
    result = result << 4 | digit;
  }
done:
  *number = result;
  return digits;
fail:
  *number = ~0u;
  return -1;
}

int checkTrailer(const Reader *reader, const unsigned *expected, int count) {
  unsigned sum = 0;
  for (const unsigned char *byte = reader->at; byte != reader->end; ++byte) // hint
    sum = sum * 33 + *byte;
  for (int i = 0; i < count; ++i) // hint
    if (expected[i] == sum)
      goto done;
  goto fail;
done:
  return 1;
fail:
  return 0;
}

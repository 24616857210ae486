// Walks to the end of a string.
unsigned long lengthOf(const char *text) {
  unsigned long length = 0;
  while (text[length]) // hint?
    ++length;
  return length;
}

const char *endOf(const char *text) {
  while (*text) // hint?
    ++text;
  return text;
}

unsigned long fieldLength(const char *text, char separator) {
  const char *end = text;
  while (*end && *end != separator) // hint
    ++end;
  return (unsigned long)(end - text);
}

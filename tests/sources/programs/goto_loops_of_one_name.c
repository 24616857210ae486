// Loops of nothing but gotos whose labels have one name in each function.
int lengthOf(const char *text) {
  int length = 0;
again: if (text[length] != ';') { // hint
    ++length;
    goto again;
  }
  return length;
}

int spacesIn(const char *text) {
  int spaces = 0;
again: spaces += *text == ' '; // hint
  if (*text++)
    goto again;
  return spaces;
}

unsigned checksum(const unsigned char *bytes, int count) {
  unsigned sum = 1;
again: sum = sum * 31 + *bytes++; // hint
  if (--count > 0)
    goto again;
  return sum;
}

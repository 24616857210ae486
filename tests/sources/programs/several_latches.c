// Loops that go on from several places.
int balance(const char *text) {
  int depth = 0;
  while (*text) { // hint
    const char c = *text++;
    if (c == '(') {
      ++depth;
      continue;
    }
    if (c != ')')
      continue;
    if (--depth < 0)
      return -1;
  }
  return depth;
}

void classify(const int *values, int count, int *small, int *large, int *odd) {
  for (int i = 0; i < count; ++i) { // hint
    if (values[i] < 10) {
      ++*small;
      continue;
    }
    if (values[i] > 1000) {
      ++*large;
      continue;
    }
    if (values[i] % 2)
      ++*odd;
  }
}

int unescape(char *to, const char *from) {
  char *const begin = to;
  for (;; ++from) { // hint
    if (!*from)
      break;
    if (*from != '\\') {
      *to++ = *from;
      continue;
    }
    ++from;
    if (*from == 'n') {
      *to++ = '\n';
      continue;
    }
    if (!*from)
      break;
    *to++ = *from;
  }
  return (int)(to - begin);
}

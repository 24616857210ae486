// Loops that begin with a loop: both may have one header.
int skipBlankLines(const char **lines, int count) {
  int i = 0;
  while (i < count) { // hint?
    const char *at = lines[i];
    while (*at == ' ') // hint
      ++at;
    if (*at)
      break;
    ++i;
  }
  return i;
}

unsigned collatz(unsigned number) {
  unsigned steps = 0;
  while (number != 1) { // hint?
    while (number % 2 == 0) { // hint
      number /= 2;
      ++steps;
    }
    if (number == 1)
      break;
    number = number * 3 + 1;
    ++steps;
  }
  return steps;
}

struct Link {
  struct Link *next;
  struct Link *down;
  int value;
};

const struct Link *search(const struct Link *at, int value) {
  for (;;) { // hint?
    while (at->next && at->next->value < value) // hint
      at = at->next;
    if (!at->down)
      return at;
    at = at->down;
  }
}

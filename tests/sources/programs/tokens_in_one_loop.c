// An endless loop around scans: the inner ones end where the next one begins, and share blocks with the outer loop.
int countTokens(const char *at) {
  int tokens = 0;
  for (;;) { // hint?
    while (*at == ' ' || *at == '\t') // hint?
      ++at;
    if (!*at)
      return tokens;
    while (*at && *at != ' ' && *at != '\t') // hint
      ++at;
    ++tokens;
  }
}

unsigned sumOfNumbers(const char *at) {
  unsigned sum = 0;
  for (;;) { // hint?
    while (*at && (*at < '0' || *at > '9')) // hint?
      ++at;
    if (!*at)
      break;
    unsigned number = 0;
    while (*at >= '0' && *at <= '9') // hint
      number = number * 10 + (unsigned)(*at++ - '0');
    sum += number;
  }
  return sum;
}

const char *skipComment(const char *at) {
  for (;;) { // hint?
    while (*at && *at != '*') // hint
      ++at;
    if (!*at)
      return at;
    while (*at == '*') // hint
      ++at;
    if (*at == '/')
      return at + 1;
  }
}

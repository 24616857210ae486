// A loop within an expression, as GNU C has it.
int scaledLength(const char *text, int scale) {
  return scale * ({
           int length = 0;
           while (text[length] && text[length] != '\n') // hint
             ++length;
           length;
         });
}

#define COUNT_OF(array, count, wanted)                                                                                \
  ({                                                                                                                   \
    int found = 0;                                                                                                     \
    for (int i = 0; i < (count); ++i)                                                                                  \
      found += (array)[i] == (wanted);                                                                                 \
    found;                                                                                                             \
  })

int balance(const int *values, int count) {
  const int ups = COUNT_OF(values, count, 1); // hint
  return ups - COUNT_OF(values, count, -1); // hint
}

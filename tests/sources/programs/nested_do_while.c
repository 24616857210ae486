// Loops that end with their condition, one in the other.
void gnomeSort(int *values, int count) {
  int isSorted;
  do { // hint?
    isSorted = 1;
    int i = 1;
    do { // hint
      if (values[i - 1] > values[i]) {
        const int value = values[i];
        values[i] = values[i - 1];
        values[i - 1] = value;
        isSorted = 0;
      }
    } while (++i < count);
  } while (!isSorted);
}

char *writeRows(char *to, const unsigned *values, int rows, int columns) {
  do {
    int left = columns;
    do {
      unsigned value = *values++;
      do { // hint
        *to++ = (char)('0' + value % 8);
        value /= 8;
      } while (value);
      *to++ = ' ';
    } while (--left);
    *to++ = '\n';
  } while (--rows);
  return to;
}

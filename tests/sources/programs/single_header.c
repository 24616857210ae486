// The file that holds a library's code: the header's loops stand in the header, those on top of it here.
#define SINGLE_HEADER_IMPLEMENTATION
#include "single_header.h"

int countBlank(const char *const *lines, int count) {
  int blank = 0;
  for (int i = 0; i < count; ++i)
    blank += sh_isBlank(lines[i]); // hint
  return blank;
}

unsigned bucketOf(const char *text, unsigned buckets) {
  return sh_hash(text) % buckets; // hint?
}

int indexOf(const char *const *sorted, int count, const char *wanted) {
  int begin = 0;
  while (begin < count) { // hint?
    const int middle = begin + (count - begin) / 2;
    const int order = sh_compare(sorted[middle], wanted); // hint?
    if (order == 0)
      return middle;
    if (order < 0)
      begin = middle + 1;
    else
      count = middle;
  }
  return -1;
}

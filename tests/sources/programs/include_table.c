// A table that is included in the middle of loops: as cases of a switch, and as a list of characters.
int evaluate(const char *operations, const int *operands, int left) {
  for (; *operations; ++operations) { // hint
    const int right = *operands++;
    switch (*operations) {
#define ENTRY(character, result)                                                                                       \
  case character:                                                                                                      \
    left = result;                                                                                                     \
    break;
#include "include_table.inc"
    default:
      return left;
    }
  }
  return left;
}

int countOperations(const char *text) {
  int count = 0;
  while (*text) { // hint
    const char c = *text++;
#define ENTRY(character, result) count += c == character;
#include "include_table.inc"
  }
  return count;
}

// Loops that are a macro's argument: on the macro's line, and on lines of their own within its parentheses.
#define RETURNING(result, ...)                                                                                        \
  int result = 0;                                                                                                      \
  __VA_ARGS__                                                                                                          \
  return result
#define SAME(code) code

int sum(const int *values, int count) {
  SAME(int result = 0; for (int i = 0; i < count; ++i) result += values[i]; return result;) // hint
}

// gcc counts all of it for the line of the macro's name; clang leaves an argument its own lines.
int product(const int *values, int count) {
  RETURNING(result,                           // hint?
    result = 1;
    for (int i = 0; i < count; ++i) // hint?
      result *= values[i];
  );
}

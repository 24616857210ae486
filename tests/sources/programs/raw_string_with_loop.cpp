// Text that looks like loops and marks, and is neither.
static const char *const kProgram = R"c(
  for (int i = 0; i < 10; ++i)
    while (1) do {} while (0);
  // LLVM-MCA-BEGIN not a marker
)c";

int linesOf() {
  int lines = 0;
  for (const char *c = kProgram; *c; ++c) // hint?
    lines += *c == '\n';
  return lines;
}

/* for (;;) */ int sum(const int *values, int /* while */ count) {
  int result = 0; // do
  /* for */ for /* ( */ (int i = 0; i < count; ++i) // hint
    result += values[i] != "for"[i % 3];
  return result;
}

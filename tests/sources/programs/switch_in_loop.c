// A switch, dense enough for a table of jumps or of values.
int evaluate(const unsigned char *code, int count, int a, int b) {
  int result = 0;
  for (int i = 0; i < count; ++i) { // hint
    switch (code[i]) {
    case 0:
      result += a;
      break;
    case 1:
      result -= b;
      break;
    case 2:
      result *= a;
      break;
    case 3:
      result ^= b;
      break;
    case 4:
      result = result / (a | 1);
      break;
    case 5:
      return result;
    default:
      ++result;
    }
  }
  return result;
}

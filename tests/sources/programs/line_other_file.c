// As a generator writes it: these lines claim to be another file's. The hint stands in the file that is open.
int before(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

#line 12 "grammar.y"
int inGrammar(const int *values, int count) {
  int product = 1;
  for (int i = 0; i < count; ++i) // hint
    product *= values[i];
  return product;
}

#line 20 "line_other_file.c"
int after(const int *values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) // hint
    result ^= values[i];
  return result;
}

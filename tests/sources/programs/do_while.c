// The condition is at the end, the loop's name is at the beginning.
int digits(unsigned number) {
  int count = 0;
  do { // hint
    number /= 7;
    ++count;
  } while (number > 0);
  return count;
}

unsigned shuffle(unsigned state, int turns) {
  do // hint
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  while (--turns > 0);
  return state;
}

// Prime numbers: strides that the data choose.
int sieve(unsigned char *isComposite, int limit) {
  int primes = 0;
  for (int number = 2; number < limit; ++number) { // hint?
    if (isComposite[number])
      continue;
    ++primes;
    for (int multiple = number * 2; multiple < limit; multiple += number) // hint
      isComposite[multiple] = 1;
  }
  return primes;
}

unsigned smallestFactor(unsigned number) {
  if (number % 2 == 0)
    return 2;
  for (unsigned factor = 3; factor * factor <= number; factor += 2) // hint
    if (number % factor == 0)
      return factor;
  return number;
}

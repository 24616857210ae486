// Recursion that the compiler makes a loop of, though there is none in the source.
unsigned gcd(unsigned a, unsigned b) {
  if (b == 0)           // hint?
    return a;
  return gcd(b, a % b); // hint?
}

int sumOfDigits(unsigned number, int sum) {
  return number == 0 ? sum : sumOfDigits(number / 10, sum + (int)(number % 10)); // hint?
}

/* Parameters declared as C had it first. */
int dotProduct(a, b, count)
  const short *a;
  const short *b;
  int count;
{
  int sum = 0;
  int i;
  for (i = 0; i < count; i++) /* what they come to */ // hint
    sum += a[i] * b[i];
  return sum;
}

static int twice(value)
  int value;
{
  return value * 2;
}

void doubleAll(values, count)
  int *values;
  int count;
{
  while (count-- > 0) // hint
    values[count] = twice(values[count]);
}

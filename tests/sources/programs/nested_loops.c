// Two and three levels, with work at each of them.
void rowSums(int *sums, const int *grid, int width, int height) {
  for (int y = 0; y < height; ++y) {
    sums[y] = 0;
    for (int x = 0; x < width; ++x) // hint
      sums[y] += grid[y * width + x];
  }
}

int countPairs(const int *values, int count, int wanted) {
  int pairs = 0;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) // hint
      if (values[i] + values[j] == wanted)
        ++pairs;
  return pairs;
}

int heaviest(const int *box, int depth, int height, int width) {
  int best = 0;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y) {
      int sum = 0;
      for (int x = 0; x < width; ++x) // hint
        sum += box[(z * height + y) * width + x];
      if (sum > best)
        best = sum;
      for (int x = 0; x < width; ++x) // hint
        if (box[(z * height + y) * width + x] < 0)
          return -1;
    }
  return best;
}

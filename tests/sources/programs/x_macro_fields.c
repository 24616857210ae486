// Functions out of a list: the loops of each stand on the line that names the list's macro.
#define FIELDS(X) \
  X(width, int)   \
  X(weight, float) \
  X(flags, unsigned)

#define MEMBER(name, type) type name;
struct Item {
  FIELDS(MEMBER)
};

#define SUM_OF(name, type)                                    \
  type sum_of_##name(const struct Item *items, int count) {   \
    type sum = 0;                                             \
    for (int i = 0; i < count; ++i)                           \
      sum += items[i].name;                                   \
    return sum;                                               \
  }
FIELDS(SUM_OF) // hint

#define ALIKE(name, type) +(a->name == b->name)
int alike(const struct Item *a, const struct Item *b, int count) {
  int alike = 0;
  for (; count > 0; --count, ++a, ++b) // hint
    alike += (0 FIELDS(ALIKE)) == 3;
  return alike;
}

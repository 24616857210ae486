// Labels of one name in several functions, with loops of no statement between them.
int use(const char *name);

int first(const char *name) {
  int result = use(name);
  if (result < 0)
    goto fail;
  result += use(name + 1);
  return result;
fail:
  return -1;
}

struct node {
  struct node *next;
  int value;
};

int sumOfList(const struct node *node, int sum) {
  if (!node)
    return sum;
  return sumOfList(node->next, sum + node->value); // hint
}

unsigned collatz(unsigned number, unsigned steps) {
again: // hint
  if (number == 1)
    goto done;
  number = number & 1 ? 3 * number + 1 : number / 2;
  ++steps;
  goto again;
done:
  return steps;
}

int second(const char *name) {
  int result = use(name);
  if (result < 0)
    goto fail;
  return result;
fail:
  return -2;
}

int lengthOfText(const char *text) {
  int length = 0;
again: // hint?
  if (*text++) {
    ++length;
    goto again;
  }
  return length;
}

int third(const char *name) {
  if (use(name) < 0)
    goto fail;
  return 0;
fail:
  return -3;
}

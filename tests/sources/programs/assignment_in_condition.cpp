// A condition that also fetches the next element.
struct Node {
  Node *next;
  int value;
};

struct Queue {
  Node *head;
  Node *take() {
    Node *node = head;
    if (node)
      head = node->next;
    return node;
  }
};

int drain(Queue &queue) {
  int sum = 0;
  while (Node *node = queue.take()) // hint
    sum += node->value;
  return sum;
}

bool read(int &value);

int sumOfInput(int limit) {
  int sum = 0;
  int value;
  int count = 0;
  while (read(value) && (count += 1) < limit) // hint
    sum += value;
  return sum;
}

// mca: cpu=skylake iterations=20
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Loops of different kinds, one that waits for memory and one with a call.
struct Node {
  Node *next;
  int value;
};

int sum(const Node *node) {
  int total = 0;
  while (node) {
//  ^ hint: IPC 0.80 · 5.0 cyc · dep
//  | finding 3-17: information register-dependency: loop in sum: limited by a loop-carried chain through rdi: 5.0 of 5.0 cycles per iteration
//  |   line 12: movq (%rdi), %rdi: rdi after 5 cycles, for the next iteration
//  | region loop in sum (loop) to line 13: 4 instructions, 20 iterations in 105 cycles, block rthroughput 1.00
    total += node->value;
    node = node->next;
  }
  return total;
}

void visit(int value);

void visitAll(const int *values, int count) {
  for (int i = 0; i < count; ++i)
//  ^ hint: ≥ 1.5 cyc · calls visit
//  | finding 3-34: hint call: loop in visitAll: at least 1.5 cycles per iteration: it calls visit, whose time is not in the cycles
//  |   line 21: callq _Z5visiti@PLT: not simulated
//  | region loop in visitAll (loop) to line 21: 5 instructions, 20 iterations in 37 cycles, block rthroughput 1.33
//  |   calls: visit
    visit(values[i]);
}

int divisors(int number) {
  int count = 0;
  for (int i = 1; i <= number; ++i)
//  ^ hint: IPC 0.50 · 15.42 cyc/iter +1
//  | region loop in divisors, unrolled ×4 (loop) to line 28: 31 instructions, 20 iterations in 1294 cycles, block rthroughput 32.00
//  | region loop in divisors, remainder (loop) to line 28: 8 instructions, 20 iterations in 368 cycles, block rthroughput 8.00
    if (number % i == 0)
      ++count;
  return count;
}

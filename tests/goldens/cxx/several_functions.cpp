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
//  ^ hint: IPC 1.37 · 3.6 cyc ≈
//  | region loop in visitAll (loop) to line 21: 5 instructions, 20 iterations in 132 cycles, block rthroughput 1.33
//  |   caveat: holds a call: what it executes is not simulated
    visit(values[i]);
//  | finding 5-22: information call: `callq _Z5visiti@PLT`: what it executes is not simulated, an iteration takes longer than the 3.6 cycles shown
}

int divisors(int number) {
  int count = 0;
  for (int i = 1; i <= number; ++i)
//  ^ hint: 15.42 cyc/iter +1
//  | region loop in divisors, unrolled ×4 (loop) to line 28: 31 instructions, 20 iterations in 1294 cycles, block rthroughput 32.00
//  | region loop in divisors, remainder (loop) to line 28: 8 instructions, 20 iterations in 368 cycles, block rthroughput 8.00
    if (number % i == 0)
      ++count;
  return count;
}

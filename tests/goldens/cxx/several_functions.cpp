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
//  ^ hint: IPC 0.76 · 5.3 cyc
//  | finding 3-17: information register-dependency: loop in sum: limited by register dependencies: 5.3 cycles per iteration where resources and dispatch need 1.0
//  |   line 10: jne .LBB0_1: waits 25.0 cycles for operands (first 10 iterations)
//  |   line 10: testq %rdi, %rdi: waits 24.0 cycles for operands (first 10 iterations)
//  |   line 11: addl 8(%rdi), %eax: waits 18.9 cycles for operands (first 10 iterations)
//  |   line 12: movq (%rdi), %rdi: waits 18.9 cycles for operands (first 10 iterations)
//  | region loop in sum (loop) to line 12: 4 instructions, 20 iterations in 105 cycles, block rthroughput 1.00
    total += node->value;
    node = node->next;
  }
  return total;
}

void visit(int value);

void visitAll(const int *values, int count) {
  for (int i = 0; i < count; ++i)
//  ^ hint: IPC 0.76 · 6.6 cyc ≈
//  | finding 3-34: information register-dependency: loop in visitAll: limited by register dependencies: 6.6 cycles per iteration where resources and dispatch need 1.3
//  |   line 20: jne .LBB1_2: waits 2.4 cycles for operands (first 10 iterations)
//  |   line 20: cmpq %r15, %r14: waits 1.9 cycles for operands (first 10 iterations)
//  |   line 21: movl (%rbx,%r15,4), %edi: waits 1.3 cycles for operands (first 10 iterations)
//  | region loop in visitAll (loop) to line 21: 5 instructions, 20 iterations in 132 cycles, block rthroughput 1.33
//  |   caveat: holds a call, each assumed to take 100 cycles
    visit(values[i]);
}

int divisors(int number) {
  int count = 0;
  for (int i = 1; i <= number; ++i)
//  ^ hint: IPC 0.48 · 64.7 cyc +1
//  | finding 3-36: information register-dependency: loop in divisors: limited by register dependencies: 64.7 cycles per iteration where resources and dispatch need 32.0
//  |   line 27: sete %r10b: waits 81.1 cycles for operands (first 10 iterations)
//  |   line 27: adcl %ecx, %r10d: waits 77.1 cycles for operands (first 10 iterations)
//  |   line 27: sete %cl: waits 76.2 cycles for operands (first 10 iterations)
//  |   line 27: testl %edx, %edx: waits 75.7 cycles for operands (first 10 iterations)
//  |   line 27: testl %edx, %edx: waits 75.2 cycles for operands (first 10 iterations)
//  | region loop in divisors (loop) to line 27: 31 instructions, 20 iterations in 1294 cycles, block rthroughput 32.00
//  | region loop in divisors (loop) to line 27: 8 instructions, 20 iterations in 368 cycles, block rthroughput 8.00
    if (number % i == 0)
      ++count;
  return count;
}

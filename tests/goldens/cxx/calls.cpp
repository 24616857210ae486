// mca: cpu=skylake
//  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
// Functions that are not simulated: the numbers are lower bounds, and say of what.
namespace logging {
struct Line {
  void append(int value);
};
}

int next(int value);

int walk(logging::Line &line, int value) {
  while (value) {
//  ^ hint: ≥ 3.0 cyc · calls append and next
//  | finding 3-18: hint call: loop in walk: at least 3.0 cycles per iteration: it calls logging::Line::append and next, whose time is not in the cycles
//  |   line 13: callq _ZN7logging4Line6appendEi@PLT: not simulated
//  |   line 14: callq _Z4nexti@PLT: not simulated
//  | region loop in walk (loop) to line 15: 8 instructions, 100 iterations in 303 cycles, block rthroughput 2.33
//  |   calls: logging::Line::append
//  |   calls: next
    line.append(value);
    value = next(value);
  }
  return value;
}

void apply(void (*each)(int), int count) {
  for (int i = 0; i < count; ++i)
//  ^ hint: ≥ 1.5 cyc · calls through a pointer
//  | finding 3-34: hint call: loop in apply: at least 1.5 cycles per iteration: it calls through a pointer, whose time is not in the cycles
//  |   line 21: callq *%r14: not simulated
//  | region loop in apply (loop) to line 21: 5 instructions, 100 iterations in 157 cycles, block rthroughput 1.33
//  |   calls: through a pointer
    each(i);
}

int sometimes(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
//  ^ hint: ≥ 2.0 cyc · calls next
//  | finding 3-34: hint call: loop in sometimes: at least 2.0 cycles per iteration: it calls next, whose time is not in the cycles
//  |   line 28: callq _Z4nexti@PLT: not simulated
//  | region loop in sometimes, through line 28 (path) to line 30: 9 instructions, 100 iterations in 233 cycles, block rthroughput 2.00
//  |   calls: next
//  | region loop in sometimes, through line 30 (path) to line 30: 7 instructions, 100 iterations in 206 cycles, block rthroughput 1.17
    if (values[i] & 1)
      total += next(values[i]);
    else
      total ^= values[i];
  return total;
}

void budgeted(int count) {
  for (int i = 0; i < count; ++i) {
//  ^ hint: ≥ 1.7 cyc · calls next
//  | finding 3-36: hint call: loop in budgeted: at least 1.7 cycles per iteration: it calls next, whose time is not in the cycles
//  |   line 38: callq _Z4nexti@PLT: not simulated
//  | region loop in budgeted (loop) to line 40: 5 instructions, 100 iterations in 172 cycles, block rthroughput 1.33
//  |   calls: next
    // LLVM-MCA-BEGIN step
//  ^ hint: ≥ 1.7 cyc · calls next
//  | finding 5-27: hint call: step: at least 1.7 cycles per iteration: it calls next, whose time is not in the cycles
//  |   line 38: callq _Z4nexti@PLT: not simulated
//  | region step (marker) to line 39: 5 instructions, 100 iterations in 172 cycles, block rthroughput 1.33
//  |   calls: next
//  |   budget: cycles 1.700 of 100.000 on skylake, not checked
//  |   budget: cycles 1.700 of 0.500 on skylake, not met
//  |   budget: ipc 3.000 of 0.100 on skylake, not checked
    // mca: cycles<=100 cycles<=0.5 ipc>=0.1
//  | finding 5-45: warning budget-unchecked: the budget of cycles is not checked on skylake: step takes 1.7 or more: it calls next, whose time is not in the cycles
//  | finding 5-45: warning budget-exceeded: cycles ≥ 1.7 > 0.5 on skylake: step; apart from what it calls, limited by SKLPort0, SKLPort1, SKLPort5 and 1 more: 5 instructions keep them busy in 1.5 of 1.7 cycles per iteration
//  | finding 5-45: warning budget-unchecked: the budget of ipc is not checked on skylake: step calls next, whose time is not in the cycles
    next(i);
    // LLVM-MCA-END step
  }
}

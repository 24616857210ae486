# mca: triple=riscv64-unknown-linux-gnu cpu=spacemit-x60
#  | target: riscv64-unknown-linux-gnu spacemit-x60 (set in the buffer); spacemit-x60: its own model
# Budgets on an in-order core, the first one exceeded.
# LLVM-MCA-BEGIN multiply
#  ^ hint: IPC 0.17 · 12.0 cyc · dep
#  | finding 1-26: information register-dependency: multiply: limited by a loop-carried chain through a0: 12.0 of 12.0 cycles per iteration
#  |   line 6: mul a0, a0, a1: a0 after 6 cycles
#  |   line 7: mul a0, a0, a1: a0 after 6 cycles, for the next iteration
#  | region multiply (marker) to line 8: 2 instructions, 100 iterations in 1201 cycles, block rthroughput 1.00
#  |   budget: ipc 0.170 of 0.500 on spacemit-x60, not met
#  |   budget: ipc 0.500 of 0.200 on sifive-p670, met
# mca: ipc>=0.5
#  | finding 1-16: warning budget-exceeded: ipc 0.17 < 0.5 on spacemit-x60: multiply; limited by a loop-carried chain through a0: 12.0 of 12.0 cycles per iteration
# mca: ipc>=0.2 cpu=sifive-p670
	mul	a0, a0, a1
	mul	a0, a0, a1
# LLVM-MCA-END multiply

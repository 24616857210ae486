# mca: triple=riscv64-unknown-linux-gnu cpu=spacemit-x60
#  | target: riscv64-unknown-linux-gnu spacemit-x60 (set in the buffer); spacemit-x60: its own model
# Instruments and markers on an in-order core with vectors.
# LLVM-MCA-RISCV-LMUL M1
# LLVM-MCA-BEGIN narrow
#  ^ hint: IPC 0.25 · 4.0 cyc · dep
#  | finding 1-24: information register-dependency: narrow: limited by a loop-carried chain through v8: 4.0 of 4.0 cycles per iteration
#  |   line 5: vadd.vv v8, v8, v16: v8 after 4 cycles, for the next iteration
#  | region narrow (marker) to line 6: 1 instructions, 100 iterations in 401 cycles, block rthroughput 2.00
	vadd.vv	v8, v8, v16
# LLVM-MCA-END narrow
# LLVM-MCA-RISCV-LMUL M8
# LLVM-MCA-BEGIN wide
#  ^ hint: IPC 0.06 · 16.0 cyc · SMX60_VIEU
#  | finding 1-22: information resource-bottleneck: wide: limited by SMX60_VIEU: 1 vadd.vv keeps it busy in 16.0 of 16.0 cycles per iteration
#  |   line 9: vadd.vv v8, v8, v16: SMX60_VIEU for 16.00 cycles
#  | region wide (marker) to line 10: 1 instructions, 100 iterations in 1601 cycles, block rthroughput 16.00
	vadd.vv	v8, v8, v16
# LLVM-MCA-END wide
# LLVM-MCA-BEGIN load
#  ^ hint: IPC 0.03 · 30.0 cyc · dep
#  | finding 1-22: information register-dependency: load: limited by a loop-carried chain through a0: 30.0 of 30.0 cycles per iteration
#  |   line 13: ld a0, 0(a0): a0 after 30 cycles, for the next iteration
#  | region load (marker) to line 14: 1 instructions, 100 iterations in 3001 cycles, block rthroughput 0.50
# LLVM-MCA-LATENCY 30
	ld	a0, 0(a0)
# LLVM-MCA-END load

# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
#  | target: riscv64-unknown-linux-gnu sifive-x280 (set in the buffer); sifive-x280: its own model
# Strip mining, as the vector extension wants it.
	.type	saxpy,@function
saxpy:
.Lstrip:
#  ^ hint: IPC 0.26 · 35.0 cyc · VL
#  | finding 1-9: information resource-bottleneck: loop in saxpy: limited by VLEN512SiFive7VL: 2 vle32.v keep it busy in 34.0 of 35.0 cycles per iteration
#  |   line 7: vle32.v v8, (a1): VLEN512SiFive7VL for 17.00 cycles
#  |   line 8: vle32.v v16, (a2): VLEN512SiFive7VL for 17.00 cycles
#  | region loop in saxpy (loop) to line 14: 9 instructions, 100 iterations in 3504 cycles, block rthroughput 34.00
	vsetvli	t0, a0, e32, m8, ta, ma
	vle32.v	v8, (a1)
	vle32.v	v16, (a2)
	vfmacc.vf	v16, fa0, v8
	vse32.v	v16, (a2)
	sub	a0, a0, t0
	sh2add	a1, t0, a1
	sh2add	a2, t0, a2
	bnez	a0, .Lstrip
	ret

// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
//  | target: aarch64-unknown-linux-gnu neoverse-n1 (set in the buffer); neoverse-n1: its own model
// Three micro-ops are dispatched a cycle, and those of one instruction together: slots stay empty.
	.type	copy,@function
copy:
.Lcopy:
//  ^ hint: IPC 2.00 · 2.0 cyc · dispatch
//  | finding 1-8: information dispatch-limit: loop in copy: limited by dispatch: 5.0 micro-ops, at most 3 per cycle and some only together, take 2.0 of 2.0 cycles per iteration
//  | region loop in copy (loop) to line 9: 4 instructions, 100 iterations in 208 cycles, block rthroughput 1.67
	ldr	q0, [x0], #16
	add	v0.4s, v0.4s, v1.4s
	subs	x1, x1, #4
	b.ne	.Lcopy
	ret
	.type	stores,@function
stores:
.Lstores:
//  ^ hint: IPC 1.33 · 3.0 cyc · dispatch
//  | finding 1-10: information dispatch-limit: loop in stores: limited by dispatch: 8.0 micro-ops, at most 3 per cycle and some only together, take 3.0 of 3.0 cycles per iteration
//  | region loop in stores (loop) to line 17: 4 instructions, 100 iterations in 305 cycles, block rthroughput 2.67
	st1	{v3.s}[1], [x4], x5
	st1	{v3.s}[2], [x6], x5
	subs	x1, x1, #1
	b.ne	.Lstores
	ret

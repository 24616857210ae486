// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
//  | target: aarch64-unknown-linux-gnu neoverse-n1 (set in the buffer); neoverse-n1: its own model
// A loop around a jump table: where the jump goes cannot be known.
	.type	interpret,%function
interpret:
.Lnext:
//  ^ hint: 3.0–13 cyc · dispatch
//  | finding 1-8: information dispatch-limit: loop in interpret, through lines 12, 13: limited by dispatch: 8.0 micro-ops, at most 3 per cycle and some only together, take 3.0 of 3.0 cycles per iteration
//  | region loop in interpret, through lines 12, 13 (path) to line 16: 7 instructions, 100 iterations in 310 cycles, block rthroughput 2.67
//  | region loop in interpret, through lines 15, 16 (path) to line 16: 7 instructions, 100 iterations in 310 cycles, block rthroughput 2.67
	ldrb	w3, [x0], #1
	adr	x4, .Ltable
	ldrsw	x5, [x4, x3, lsl #2]
	add	x4, x4, x5
	br	x4
//  | finding 2-7: information indirect-jump: `br x4`: a computed jump, simulated as if it were always predicted: each wrong prediction adds to the 3.0 cycles per iteration
.Ladd:
	add	w1, w1, #1
	b	.Lnext
.Lmultiply:
	mul	w1, w1, w1
	b	.Lnext
	.section	.rodata
.Ltable:
	.word	.Ladd-.Ltable, .Lmultiply-.Ltable

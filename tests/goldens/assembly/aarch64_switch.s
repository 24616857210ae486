// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
//  | target: aarch64-unknown-linux-gnu neoverse-n1 (set in the buffer); neoverse-n1: its own model
// A loop around a jump table: where the jump goes cannot be known.
	.type	interpret,%function
interpret:
.Lnext:
	ldrb	w3, [x0], #1
//  ^ hint: IPC 2.51 · 3.6 cyc ≈
//  | finding 2-19: information dispatch-limit: whole text: limited by dispatch: 10.0 micro-ops per iteration, 3 per cycle
//  | region whole text (snippet) to line 16: 9 instructions, 100 iterations in 359 cycles, block rthroughput 3.33
//  |   caveat: the text branches: it is simulated from its first to its last line
	adr	x4, .Ltable
	ldrsw	x5, [x4, x3, lsl #2]
	add	x4, x4, x5
	br	x4
.Ladd:
	add	w1, w1, #1
	b	.Lnext
.Lmultiply:
	mul	w1, w1, w1
	b	.Lnext
	.section	.rodata
.Ltable:
	.word	.Ladd-.Ltable, .Lmultiply-.Ltable

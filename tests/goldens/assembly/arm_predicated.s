@ mca: triple=armv7-unknown-linux-gnueabihf cpu=cortex-a9
@  | target: armv7-unknown-linux-gnueabihf cortex-a9 (set in the buffer); cortex-a9: its own model
@ A return under a condition in the middle of a loop.
	.type	find,%function
find:
@  ^ hint: IPC 2.00 · 2.5 cyc · dispatch
@  | finding 1-6: information dispatch-limit: loop in find: limited by dispatch: 5.0 micro-ops, at most 2 per cycle, take 2.5 of 2.5 cycles per iteration
@  | region loop in find (loop) to line 9: 5 instructions, 100 iterations in 255 cycles, block rthroughput 2.50
	ldr	r2, [r0], #4
	cmp	r2, r1
	bxeq	lr
	subs	r3, r3, #1
	bne	find
	mov	r0, #0
	bx	lr

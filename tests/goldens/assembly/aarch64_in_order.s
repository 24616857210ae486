// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
//  | target: aarch64-unknown-linux-gnu cortex-a55 (set in the buffer); cortex-a55: its own model
// An in-order core: a marker region and a loop.
	.type	checksum,%function
checksum:
.Lloop:
//  ^ hint: IPC 0.50 · 8.0 cyc · dep
//  | finding 1-8: information in-order-stall: loop in checksum: limited by register dependencies: instructions wait in 5.0 of 8.0 cycles per iteration, longest b.ne for nzcv
//  |   line 9: b.ne .Lloop: waits 3.0 cycles for nzcv
//  |   line 7: madd w4, w3, w5, w4: waits 2.0 cycles for w3
//  | region loop in checksum (loop) to line 9: 4 instructions, 100 iterations in 801 cycles, block rthroughput 2.50
	ldr	w3, [x0], #4
	madd	w4, w3, w5, w4
	subs	x1, x1, #1
	b.ne	.Lloop
	// LLVM-MCA-BEGIN division
//  ^ hint: IPC 0.25 · 8.0 cyc · Div
//  | finding 2-28: information resource-bottleneck: division: limited by CortexA55UnitDiv: 1 udiv keeps it busy in 8.0 of 8.0 cycles per iteration
//  |   line 11: udiv w6, w4, w5: CortexA55UnitDiv for 8.00 cycles
//  | region division (marker) to line 13: 2 instructions, 100 iterations in 804 cycles, block rthroughput 8.00
	udiv	w6, w4, w5
	msub	w0, w6, w5, w4
	// LLVM-MCA-END division
	ret

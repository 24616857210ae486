// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
//  | target: aarch64-unknown-linux-gnu cortex-a55 (set in the buffer); cortex-a55: its own model
// A budget of the buffer's CPU and one of another, in an assembly whose comments are C's.
	// LLVM-MCA-BEGIN division
//  ^ hint: IPC 0.25 · 8.0 cyc · Div
//  | finding 2-28: information resource-bottleneck: division: limited by CortexA55UnitDiv: 1 udiv keeps it busy in 8.0 of 8.0 cycles per iteration
//  |   line 6: udiv w6, w4, w5: CortexA55UnitDiv for 8.00 cycles
//  | region division (marker) to line 8: 2 instructions, 100 iterations in 804 cycles, block rthroughput 8.00
//  |   budget: cycles 8.000 of 8.000 on cortex-a55, met
//  |   budget: cycles 13.000 of 6.000 on neoverse-v2, not met
	/* mca: cycles<=8 */
	// mca: cycles<=6 cpu=neoverse-v2
//  | finding 2-35: warning budget-exceeded: cycles 13.0 > 6 on neoverse-v2: division
	udiv	w6, w4, w5
	msub	w0, w6, w5, w4
	// LLVM-MCA-END division

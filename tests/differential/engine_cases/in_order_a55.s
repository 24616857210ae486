// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
// engine: iterations=30 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// What retires out of order in an in-order core.
	ldr w3, [x0], #4
	fdiv v3.4s, v2.4s, v1.4s
	add w4, w3, w4
	fmla v2.4s, v0.4s, v1.4s
	st1 {v4.4s}, [x0], #16

// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
// engine: iterations=1200 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// Many iterations in order.
	ldr w3, [x0], #4
	madd w4, w3, w3, w4
	fdiv d3, d2, d1
	str w4, [x2], #4

// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a53
// engine: iterations=30 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// Forwarding between multiplications and what accumulates them.
	madd x3, x0, x1, x3
	madd x3, x3, x1, x2
	ldr x5, [x0], #8
	fmadd d0, d1, d2, d0
	str x5, [x2]
	sdiv x4, x3, x2

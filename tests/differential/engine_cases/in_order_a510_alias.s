// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a510
// engine: iterations=20 noAlias=0 microOpQueueSize=6 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// Memory order and a queue before dispatch, in order.
	ld1w {z0.s}, p0/z, [x0]
	fmla z0.s, p0/m, z1.s, z2.s
	st1w {z0.s}, p0, [x1]
	ldr x1, [x0]
	str x5, [x2], #8

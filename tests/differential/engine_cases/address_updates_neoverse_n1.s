// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
// engine: iterations=40 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// Addresses that loads and stores write back.
	ldp x7, x8, [x1], #16
	ldr x6, [x0], #8
	madd x3, x6, x7, x3
	stp x3, x8, [x2], #16
	ld1 {v0.4s, v1.4s}, [x1]

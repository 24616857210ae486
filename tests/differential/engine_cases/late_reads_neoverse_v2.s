// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v2
// engine: iterations=40 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
// Accumulators that are read late, and moves that renaming removes.
	fmla v2.4s, v0.4s, v1.4s
	fmla v2.4s, v2.4s, v1.s[1]
	fmov d0, d1
	mov x0, x1
	movi v2.2d, #0
	mla z1.s, p0/m, z0.s, z2.s

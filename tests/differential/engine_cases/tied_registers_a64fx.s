// mca: triple=aarch64-unknown-linux-gnu cpu=a64fx
// engine: iterations=12 bottlenecks=1 storeQueueSize=1 pressure=0 schedulerStatistics=1
// Two parts of the stored tuple come in the same cycle; LLVM names the one that lies lower on the heap.
	movi	v3.2s, #0
	mov	z0.s, w0
	st3	{ v2.d, v3.d, v4.d }[0], [x0]
	fneg	v2.4h, v1.4h

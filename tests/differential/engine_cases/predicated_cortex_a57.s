@ mca: triple=armv7-unknown-linux-gnueabihf cpu=cortex-a57
@ engine: iterations=30 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
@ Predicates, register lists and forwarding to accumulators.
	addeq r0, r0, r1
	mla r0, r0, r2, r3
	smlal r0, r1, r2, r3
	ldm r0!, {r1, r2, r3, r4}
	vmla.f32 q0, q1, q2
	stm r0!, {r1, r2}

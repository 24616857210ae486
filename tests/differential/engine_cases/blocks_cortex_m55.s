@ mca: triple=thumbv8.1m.main-none-eabi cpu=cortex-m55
@ engine: iterations=20 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
@ Blocks under IT and VPT.
	it eq; addeq r0, r0, r1
	vpt.i32 eq, q0, q1; vaddt.i32 q0, q1, q2
	vmla.i32 q0, q1, r0
	vldrw.u32 q0, [r0], #16

; mca: triple=arm64-apple-macosx cpu=apple-m1
; engine: iterations=40 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
; Wide dispatch and pairs of registers.
	ldp x7, x8, [x1], #16
	mul x2, x7, x8
	fmadd d0, d1, d2, d0
	subs x12, x12, #1
	csel x13, x12, x11, ne
	stp q0, q1, [x0], #32

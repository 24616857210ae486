# mca: triple=powerpc64le-unknown-linux-gnu cpu=pwr9
# engine: iterations=30 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Condition registers, updates and dispatch groups.
	lwzu 3, 4(4)
	addic. 4, 4, -1
	divd 3, 4, 5
	xvmaddadp 34, 35, 36
	stdu 4, 8(3)
	mtctr 3
	bdnz f

# mca: triple=s390x-unknown-linux-gnu cpu=z15
# engine: iterations=20 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Instructions that begin and end a dispatch group.
	dsgr %r2, %r1
	mvc 0(8,%r1), 0(%r2)
	lmg %r6, %r9, 0(%r1)
	agr %r1, %r1
	ddbr %f0, %f2
	brctg %r1, f

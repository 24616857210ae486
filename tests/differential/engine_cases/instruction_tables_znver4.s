# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=9 instructionTables=1 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# No simulation: pressure as the model states it.
	imulq %rcx, %rdx
	vaddps %zmm0, %zmm1, %zmm2
	divl %ecx

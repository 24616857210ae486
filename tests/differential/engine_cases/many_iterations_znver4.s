# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=1500 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# A loop whose pattern has a long period.
	imulq %rcx, %rdx
	addq %rdx, (%rsi)
	movq %rdx, %rax
	vdivps %ymm0, %ymm1, %ymm2
	shlq $3, %rcx

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# engine: iterations=20 noAlias=0 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Loads wait for stores, and stores for both.
	movups (%rdi), %xmm0
	addps %xmm0, %xmm1
	movups %xmm1, 16(%rsi)
	movl (%rdi), %eax
	addl %eax, (%rdi)

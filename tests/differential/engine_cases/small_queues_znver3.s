# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
# engine: iterations=40 loadQueueSize=2 storeQueueSize=1 dispatchWidth=3 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Queues that are full all the time.
	movq (%rdi), %rax
	movq 8(%rdi), %rcx
	addq %rax, (%rsi)
	movq %rcx, 8(%rsi)
	movaps %xmm0, 16(%rsi)

# mca: triple=x86_64-unknown-linux-gnu cpu=znver1
# engine: iterations=30 microOpQueueSize=5 decoderThroughput=2 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# A decoder and a queue before dispatch.
	addl %eax, %ecx
	imulq %rcx, %rdx
	addq %rdx, (%rsi)
	popcntl %ecx, %eax
	pushq %rax

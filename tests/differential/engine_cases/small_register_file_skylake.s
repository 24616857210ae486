# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# engine: iterations=30 registerFileSize=7 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Few physical registers for all.
	imulq %rax, %rcx
	movq %rcx, %rdx
	addq %rdx, %rbx
	mulps %xmm0, %xmm1
	leaq 8(%rax,%rbx), %rsi

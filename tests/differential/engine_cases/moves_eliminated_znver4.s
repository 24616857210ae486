# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=25 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# A move is an alias of its source, and a later write to the source is seen.
	movq %rax, %rbx
	imulq %rcx, %rax
	addq %rbx, %rdx
	movaps %xmm0, %xmm1
	mulps %xmm2, %xmm0
	vmovaps %ymm1, %ymm3
	xchgq %rcx, %rdx

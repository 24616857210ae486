# mca: triple=x86_64-unknown-linux-gnu cpu=btver2
# engine: iterations=40 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Moves that renaming removes, a chain of them, and one that passes a zero on.
	movq %rax, %rbx
	movq %rbx, %rcx
	addq $1, %rcx
	movq %rcx, %rax
	xorps %xmm0, %xmm0
	movaps %xmm0, %xmm1
	addps %xmm1, %xmm2

# mca: triple=x86_64-unknown-linux-gnu cpu=atom
# engine: iterations=30 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# The in-order core of x86.
	addl %eax, %ecx
	movl (%rdi), %edx
	imull %edx, %eax
	divsd %xmm0, %xmm1
	addl %eax, (%rsi)

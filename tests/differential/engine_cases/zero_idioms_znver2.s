# mca: triple=x86_64-unknown-linux-gnu cpu=znver2
# engine: iterations=60 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Idioms that depend on nothing, and that no unit executes.
	xorl %eax, %eax
	subl %ecx, %ecx
	sbbl %edx, %edx
	addl %eax, %edx
	pxor %xmm1, %xmm1
	pcmpeqd %xmm3, %xmm3
	paddd %xmm3, %xmm1
	vxorps %ymm0, %ymm0, %ymm0

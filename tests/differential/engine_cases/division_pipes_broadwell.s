# mca: triple=x86_64-unknown-linux-gnu cpu=broadwell
# engine: iterations=50 bottlenecks=1 timeline=1
# A unit that is not pipelined holds those behind it.
	divsd %xmm1, %xmm0
	divps %xmm2, %xmm3
	sqrtsd %xmm0, %xmm1
	divl %ecx
	addsd %xmm4, %xmm5

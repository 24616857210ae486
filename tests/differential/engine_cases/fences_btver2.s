# mca: triple=x86_64-unknown-linux-gnu cpu=btver2
# engine: iterations=12 noAlias=0 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Barriers of loads and of stores.
	movl (%rdi), %eax
	lfence
	movl %eax, 4(%rdi)
	sfence
	movl 8(%rdi), %ecx
	mfence
	movl %ecx, 16(%rdi)

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# engine: iterations=33 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Two definitions in one instruction, and an update of memory behind a lock.
	xchgl %eax, %ebx
	xchgq %rcx, %rdx
	xaddl %eax, (%rdi)
	lock addl $1, (%rdi)
	addl (%rdi), %eax

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# engine: iterations=6 timeline=1 timelineMaxCycles=0 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Instructions of more micro-ops than the dispatch width.
	cpuid
	rep movsb
	addl %eax, %ecx
	pushq %rax

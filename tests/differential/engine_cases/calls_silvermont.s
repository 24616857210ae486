# mca: triple=x86_64-unknown-linux-gnu cpu=silvermont
# engine: iterations=10 callLatency=17 bottlenecks=1 timeline=1
# The latency that is assumed of calls.
	call f
	addq %rax, %rcx
	jne f

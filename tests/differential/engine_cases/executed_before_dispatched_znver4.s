# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=3 bottlenecks=1
# An instruction of more micro-ops than dispatch takes in a cycle is executed before all of it is dispatched: LLVM then
# takes it for being in flight for ever, and a holder of its units.
	vmaskmovps	%ymm1, %ymm0, 8(%rcx)
	vmaskmovps	%ymm1, %ymm0, 8(%rcx)
	vmaskmovps	%ymm1, %ymm0, 8(%rcx)
	vmaskmovps	%ymm1, %ymm0, 8(%rcx)

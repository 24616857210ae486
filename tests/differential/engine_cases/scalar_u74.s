# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-u74
# engine: iterations=30 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Two pipes in order.
	lw a5, 4(a1)
	mul a2, a0, a5
	div a3, a2, a1
	fmadd.d fa2, fa0, fa1, fa2
	fdiv.d fa3, fa2, fa1
	bnez a0, f

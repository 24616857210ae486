# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# engine: iterations=20 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# The scheduling class follows the vector length that is in force.
	vsetvli t0, a0, e32, m1, ta, ma
	vle32.v v8, (a0)
	vsetvli t0, a0, e64, m4, ta, ma
	vfmacc.vv v8, v16, v24
	vredsum.vs v8, v16, v24
	vse64.v v8, (a1)

# mca: triple=x86_64-unknown-linux-gnu cpu=haswell
# engine: iterations=20 timeline=1 bottlenecks=1
# The stack of x87, exchanges of it and a slow division.
	fld1
	fadd %st(1), %st
	fxch %st(1)
	fmul %st, %st(2)
	fdivp %st, %st(1)

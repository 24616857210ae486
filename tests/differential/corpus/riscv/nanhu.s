# mca: triple=riscv64-unknown-linux-gnu cpu=xiangshan-nanhu
# No markers and no loop.
	ld	a1, 0(a0)
	sh3add	a2, a1, a3
	fld	fa0, 0(a2)
	fmul.d	fa1, fa0, fa1
	fdiv.d	fa2, fa1, fa0
	cpop	a4, a1
	fsd	fa2, 8(a2)

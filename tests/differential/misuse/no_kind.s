# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# LLVM-MCA-
	add	a0, a1, a2
# LLVM-MCA- M4

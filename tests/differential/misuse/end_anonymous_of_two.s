# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-u74
# LLVM-MCA-BEGIN one
	add	a0, a1, a2
# LLVM-MCA-BEGIN two
	sub	a0, a1, a2
# LLVM-MCA-END

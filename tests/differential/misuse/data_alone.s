# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-u74
	.data
	.word	1, 2, 3
# LLVM-MCA-BEGIN nothing
# LLVM-MCA-END nothing

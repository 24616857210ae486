# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# LLVM-MCA-RISCV-LMULL M4
	add	a0, a1, a2
# LLVM-MCA-X86-PORTS 2
# LLVM-MCA-begin lower case

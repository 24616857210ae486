# mca: triple=riscv64-unknown-linux-gnu cpu=spacemit-x60
# Budgets on an in-order core, the first one exceeded.
# LLVM-MCA-BEGIN multiply
# mca: ipc>=0.5
# mca: ipc>=0.2 cpu=sifive-p670
	mul	a0, a0, a1
	mul	a0, a0, a1
# LLVM-MCA-END multiply

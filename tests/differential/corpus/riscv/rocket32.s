# mca: triple=riscv32-unknown-none-elf cpu=rocket-rv32 features=+m,+f
# A 32-bit in-order core whose features the buffer adds.
# LLVM-MCA-BEGIN wide product
	mul	a4, a0, a2
	mulhu	a5, a0, a2
	add	a5, a5, a6
	sltu	a7, a5, a6
	divu	t0, a5, a4
# LLVM-MCA-END wide product
# LLVM-MCA-BEGIN float
	flw	fa0, 0(a0)
	fmul.s	fa1, fa0, fa1
	fsw	fa1, 0(a1)
# LLVM-MCA-END float

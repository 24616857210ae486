# mca: triple=riscv32-unknown-none-elf cpu=syntacore-scr1-max
# The smallest core that has a model.
# LLVM-MCA-BEGIN checksum
	lbu	a3, 0(a0)
	addi	a0, a0, 1
	slli	a4, a2, 5
	add	a2, a2, a4
	xor	a2, a2, a3
	bne	a0, a1, checksum
# LLVM-MCA-END checksum
checksum:
	ret

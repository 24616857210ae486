# mca: triple=riscv64-unknown-linux-gnu cpu=spacemit-x60
# Macros, pseudo instructions, options, a condition. No markers, see twins/.
	.macro	accumulate from, by=4
	lw	t1, 0(\from)
	addi	\from, \from, \by
	add	t0, t0, t1
	.endm
	.option	push
	.option	norvc
	accumulate	a0
	accumulate	a1, 8
	.ifdef	never
	ecall
	.endif
	li	a4, 0x12345678
	la	a5, symbol
	not	a6, a5
	seqz	a7, a6
	.option	pop

# mca: triple=mipsel-unknown-linux-gnu cpu=p5600
# Delay slots, the accumulator, vectors.
	.set	noreorder
# LLVM-MCA-BEGIN sum
	lw	$3, 0($4)
	subu	$4, $4, $6
	bne	$4, $5, sum
	xor	$2, $2, $3
# LLVM-MCA-END sum
sum:
# LLVM-MCA-BEGIN products
	mult	$6, $7
	mflo	$8
	mul	$9, $8, $6
	div	$zero, $9, $7
	mfhi	$10
	ext	$11, $10, 4, 8
# LLVM-MCA-END products
# LLVM-MCA-BEGIN float
	ldc1	$f0, 0($4)
	madd.d	$f2, $f4, $f0, $f6
	sdc1	$f2, 8($4)
# LLVM-MCA-END float

# mca: triple=powerpc64le-unknown-linux-gnu cpu=pwr9
# Update forms, vector-scalar registers, condition registers.
# LLVM-MCA-BEGIN triad
	lxvd2x	0, 3, 4
	lxvd2x	1, 5, 4
	xvmaddadp	0, 1, 2
	stxvd2x	0, 6, 4
	addi	4, 4, 16
	bdnz	triad
# LLVM-MCA-END triad
triad:
# LLVM-MCA-BEGIN integer
	ldu	7, 8(3)
	mulld	8, 7, 7
	divd	9, 8, 7
	rlwinm	10, 9, 3, 0, 28
	cmpdi	0, 10, 0
	isel	11, 10, 9, 2
	std	11, 0(5)
# LLVM-MCA-END integer

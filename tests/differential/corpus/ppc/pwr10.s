# mca: triple=powerpc64le-unknown-linux-gnu cpu=pwr10
# Matrix accumulators, prefixed instructions, a call.
# LLVM-MCA-BEGIN outer product
	lxvp	34, 0(3)
	xvf32gerpp	0, 34, 35
	xvf32gerpp	1, 34, 36
	xxmfacc	0
# LLVM-MCA-END outer product
# LLVM-MCA-BEGIN prefixed
	plxv	37, 1234567(3), 0
	paddi	5, 4, 99999
	fmadd	1, 2, 3, 1
	bl	helper
	nop
# LLVM-MCA-END prefixed

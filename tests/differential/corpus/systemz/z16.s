# mca: triple=s390x-unknown-linux-gnu cpu=z16
# Storage to storage, compare and swap, decimal.
# LLVM-MCA-BEGIN storage
	mvc	0(64,%r2), 0(%r3)
	clc	0(8,%r2), 0(%r3)
	cs	%r4, %r5, 0(%r6)
	laag	%r7, %r8, 0(%r9)
# LLVM-MCA-END storage
# LLVM-MCA-BEGIN decimal
	vap	%v1, %v2, %v3, 31, 0
	risbg	%r1, %r2, 48, 191, 8
	flogr	%r2, %r1
	ddbr	%f0, %f2
# LLVM-MCA-END decimal

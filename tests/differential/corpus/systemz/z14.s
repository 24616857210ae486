# mca: triple=s390x-unknown-linux-gnu cpu=z14
# Register-memory arithmetic, vectors, fused multiplication.
# LLVM-MCA-BEGIN dot
	vl	%v1, 0(%r1,%r2)
	vl	%v2, 0(%r1,%r3)
	vfmadb	%v0, %v1, %v2, %v0
	la	%r1, 16(%r1)
	brctg	%r4, dot
# LLVM-MCA-END dot
dot:
# LLVM-MCA-BEGIN integer
	lg	%r5, 0(%r2)
	ag	%r5, 8(%r2)
	msgr	%r5, %r5
	dsgr	%r6, %r5
	stg	%r7, 16(%r2)
	locgrne	%r8, %r7
# LLVM-MCA-END integer

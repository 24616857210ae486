# mca: triple=riscv64-unknown-linux-gnu cpu=spacemit-x60
# A dual-issue in-order core with vectors and bit manipulation.
# LLVM-MCA-BEGIN bits
	sh2add	a0, a1, a2
	andn	a3, a0, a4
	clz	a5, a3
	rori	a6, a5, 7
	max	a7, a6, a5
# LLVM-MCA-END bits
	vsetvli	t0, a2, e8, m1, ta, ma
# LLVM-MCA-BEGIN vectors
	vle8.v	v8, (a0)
	vmseq.vx	v0, v8, a1
	vcpop.m	t1, v0
	vmerge.vxm	v9, v8, a3, v0
	vse8.v	v9, (a0)
# LLVM-MCA-END vectors
# LLVM-MCA-BEGIN latency
# LLVM-MCA-LATENCY 20
	ld	t2, 0(t3)
	add	t4, t4, t2
# LLVM-MCA-END latency

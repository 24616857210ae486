# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# LLVM-MCA-BEGIN blocks
	vsetvli	t0, a2, e32, m1, ta, ma
	vle32.v	v8, (a0)
	vadd.vv	v16, v8, v16
	vsetvli	t0, a2, e32, m4, ta, ma
	vle32.v	v8, (a0)
	vadd.vv	v16, v8, v16
	vadd.vv	v24, v8, v16
# LLVM-MCA-END blocks
# LLVM-MCA-BEGIN groups
	vsub.vv	v24, v8, v16
# LLVM-MCA-RISCV-LMUL M8
	vadd.vv	v0, v8, v16
	vsub.vv	v24, v8, v16
# LLVM-MCA-END groups

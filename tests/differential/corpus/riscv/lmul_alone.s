# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# A register grouping without an element width, for instructions that do not ask for one.
# LLVM-MCA-RISCV-LMUL M8
# LLVM-MCA-BEGIN integer
	vadd.vv	v8, v8, v16
	vmul.vx	v24, v8, a0
	vslide1up.vx	v0, v24, a1
# LLVM-MCA-END integer

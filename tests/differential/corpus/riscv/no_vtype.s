# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# Vector code that says nothing of its vector type.
# LLVM-MCA-BEGIN unknown
	vle8.v	v8, (a0)
	vmul.vv	v16, v8, v8
	vlse32.v	v24, (a1), a2
	vrgather.vv	v0, v8, v16
# LLVM-MCA-END unknown

# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# The element width decides how long a division takes.
# LLVM-MCA-BEGIN wide elements
# LLVM-MCA-RISCV-LMUL M2
# LLVM-MCA-RISCV-SEW E64
	vfdiv.vv	v4, v8, v12
	vdivu.vv	v16, v20, v24
# LLVM-MCA-END wide elements
# LLVM-MCA-BEGIN narrow elements
# LLVM-MCA-RISCV-SEW E16
	vfdiv.vv	v4, v8, v12
	vdivu.vv	v16, v20, v24
	vfredosum.vs	v4, v8, v12
# LLVM-MCA-END narrow elements

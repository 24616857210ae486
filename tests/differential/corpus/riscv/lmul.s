# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# The register grouping comes from an instrument, and changes between regions.
# LLVM-MCA-RISCV-LMUL M1
# LLVM-MCA-RISCV-SEW E32
# LLVM-MCA-BEGIN one register
	vle32.v	v8, (a0)
	vfmacc.vf	v16, fa0, v8
	vse32.v	v16, (a1)
# LLVM-MCA-END one register
# LLVM-MCA-RISCV-LMUL M4
# LLVM-MCA-BEGIN four registers
	vle32.v	v8, (a0)
	vfmacc.vf	v16, fa0, v8
	vse32.v	v16, (a1)
# LLVM-MCA-END four registers
# LLVM-MCA-BEGIN in the middle
	vadd.vv	v0, v0, v8
# LLVM-MCA-RISCV-LMUL MF2
	vadd.vv	v24, v24, v25
# LLVM-MCA-END in the middle

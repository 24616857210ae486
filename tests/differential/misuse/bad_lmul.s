# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# LLVM-MCA-RISCV-LMUL M3
	vadd.vv	v0, v1, v2
# LLVM-MCA-RISCV-LMUL
# LLVM-MCA-RISCV-LMUL m4
# LLVM-MCA-RISCV-LMUL  M4

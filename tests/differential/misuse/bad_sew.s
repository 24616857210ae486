# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
# LLVM-MCA-RISCV-SEW 32
	vadd.vv	v0, v1, v2
# LLVM-MCA-RISCV-SEW E128
# LLVM-MCA-RISCV-SEW

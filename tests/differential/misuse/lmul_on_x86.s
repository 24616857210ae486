# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-RISCV-LMUL M4
	addl	%eax, %ebx

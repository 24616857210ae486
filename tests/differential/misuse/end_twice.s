# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
# LLVM-MCA-BEGIN
	addl	%eax, %ebx
# LLVM-MCA-END
	addl	%eax, %ebx
# LLVM-MCA-END

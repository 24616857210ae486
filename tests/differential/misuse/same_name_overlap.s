# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-BEGIN one
	addl	%eax, %ebx
# LLVM-MCA-BEGIN two
# LLVM-MCA-BEGIN one
	addl	%ebx, %ecx
# LLVM-MCA-END one
# LLVM-MCA-END two

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-BEGIN
	addl	%eax, %ebx
# LLVM-MCA-BEGIN
	addl	%ebx, %ecx
# LLVM-MCA-END

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
	nop
# LLVM-MCA-BEGIN kernel
	imull	%eax, %ebx
	addl	%ebx, %ecx
# LLVM-MCA-END kernel
	nop

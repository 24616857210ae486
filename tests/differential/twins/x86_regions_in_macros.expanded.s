# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
	nop
# LLVM-MCA-BEGIN first
	imull	$3, %eax, %ebx
	addl	%ebx, %ecx
# LLVM-MCA-END first
	nop
	nop
# LLVM-MCA-BEGIN second
	imull	$5, %eax, %ebx
	addl	%ebx, %ecx
# LLVM-MCA-END second
	nop

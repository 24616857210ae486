# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# A region that is only a part of what a macro makes.
	.macro	kernel name, by
	nop
# LLVM-MCA-BEGIN \name
	imull	$\by, %eax, %ebx
	addl	%ebx, %ecx
# LLVM-MCA-END \name
	nop
	.endm
	kernel	first, 3
	kernel	second, 5

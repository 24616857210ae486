# mca: triple=i386-unknown-linux-gnu cpu=haswell
# 32-bit code: the stack carries arguments, 64-bit arithmetic takes two registers.
# LLVM-MCA-BEGIN long addition
	movl	8(%esp), %eax
	movl	12(%esp), %edx
	addl	16(%esp), %eax
	adcl	20(%esp), %edx
	pushl	%edx
	pushl	%eax
# LLVM-MCA-END long addition
# LLVM-MCA-BEGIN decimal
	aaa
	das
	pushal
	popal
# LLVM-MCA-END decimal

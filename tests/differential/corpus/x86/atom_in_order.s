# mca: triple=x86_64-unknown-linux-gnu cpu=atom
# An in-order core of x86.
# LLVM-MCA-BEGIN pairing
	movl	(%rdi), %eax
	leal	4(%rax), %ecx
	addl	%ecx, %edx
	movl	%edx, (%rsi)
# LLVM-MCA-END pairing
# LLVM-MCA-BEGIN slow
	mulps	%xmm0, %xmm1
	divps	%xmm1, %xmm2
	imull	%eax, %ebx
# LLVM-MCA-END slow

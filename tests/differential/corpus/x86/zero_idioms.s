# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
# What the renamer can do alone: zeroes, ones and moves.
# LLVM-MCA-BEGIN zeroes
	xorl	%eax, %eax
	subq	%rcx, %rcx
	vpxor	%xmm0, %xmm0, %xmm0
	vxorps	%ymm1, %ymm1, %ymm1
	vpsubd	%ymm2, %ymm2, %ymm2
	vpcmpeqd	%xmm3, %xmm3, %xmm3
	addq	%rax, %rcx
	vpaddd	%ymm2, %ymm1, %ymm0
# LLVM-MCA-END zeroes
# LLVM-MCA-BEGIN moves
	movq	%rax, %rdx
	movl	%edx, %ebx
	vmovaps	%ymm0, %ymm4
	vmovdqa	%xmm4, %xmm5
	xchgq	%rax, %rbx
	addq	%rdx, %rax
	vaddps	%ymm4, %ymm0, %ymm0
# LLVM-MCA-END moves
# LLVM-MCA-BEGIN not idioms
	xorl	%eax, %ecx
	vpcmpgtd	%xmm1, %xmm0, %xmm1
	vpxor	(%rdi), %xmm0, %xmm0
# LLVM-MCA-END not idioms

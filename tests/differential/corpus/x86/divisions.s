# mca: triple=x86_64-unknown-linux-gnu cpu=icelake-server
# Units that are not pipelined.
# LLVM-MCA-BEGIN integer
	xorl	%edx, %edx
	divl	%ecx
	movl	%edx, %ebx
	cltd
	idivl	%esi
	cqto
	idivq	%rdi
# LLVM-MCA-END integer
# LLVM-MCA-BEGIN float
	vdivps	%ymm1, %ymm0, %ymm2
	vsqrtpd	%ymm3, %ymm4
	vdivss	%xmm1, %xmm5, %xmm5
	vrsqrtps	%ymm0, %ymm6
	vmulps	%ymm6, %ymm2, %ymm7
# LLVM-MCA-END float

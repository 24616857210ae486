# mca: triple=x86_64-unknown-linux-gnu cpu=graniterapids
# A region longer than the scheduler's queues, made of one chain.
# LLVM-MCA-BEGIN chain
	.rept	60
	vmulsd	%xmm1, %xmm0, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	.endr
# LLVM-MCA-END chain
# LLVM-MCA-BEGIN wide
	.rept	20
	addq	$1, %rax
	addq	$1, %rbx
	addq	$1, %rcx
	addq	$1, %rdx
	addq	$1, %rsi
	addq	$1, %rdi
	.endr
# LLVM-MCA-END wide

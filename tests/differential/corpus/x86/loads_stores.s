# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# Memory: a copy, a store that is read again, and a chain through memory.
# LLVM-MCA-BEGIN copy
	movdqu	(%rsi), %xmm0
	movdqu	16(%rsi), %xmm1
	movdqa	%xmm0, (%rdi)
	movdqa	%xmm1, 16(%rdi)
	addq	$32, %rsi
	addq	$32, %rdi
	decq	%rcx
	jne	copy
# LLVM-MCA-END copy
# LLVM-MCA-BEGIN forward
	movq	%rax, -8(%rsp)
	movq	-8(%rsp), %rax
	addq	$1, -16(%rsp)
	orl	$64, (%rdi)
# LLVM-MCA-END forward
# LLVM-MCA-BEGIN chase
	movq	(%rax), %rax
	movq	8(%rax), %rbx
	pushq	%rbx
	popq	%rdx
	prefetcht0	256(%rax)
# LLVM-MCA-END chase
# LLVM-MCA-BEGIN streaming
	movntdq	%xmm0, (%rdi)
	movnti	%eax, 64(%rdi)
	sfence
	lfence
# LLVM-MCA-END streaming
copy:

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake-avx512
# Locked operations and fences.
# LLVM-MCA-BEGIN counter
	movl	$1, %eax
	lock	xaddl	%eax, (%rdi)
	lock incq	8(%rdi)
# LLVM-MCA-END counter
# LLVM-MCA-BEGIN exchange
	movq	(%rdi), %rax
	leaq	1(%rax), %rcx
	lock cmpxchgq	%rcx, (%rdi)
	xchgq	%rdx, 16(%rdi)
	mfence
	pause
# LLVM-MCA-END exchange

# mca: triple=x86_64-unknown-linux-gnu cpu=alderlake
	imulq	%rdi, %rdi
	leaq	1(%rsi,%rdi), %rsi
# LLVM-MCA-BEGIN polynomial
	imulq	%rdx, %rdx
	leaq	1(%rax,%rdx), %rax
	imulq	%rcx, %rcx
	leaq	1(%rbx,%rcx), %rbx
	addq	$16, %rdi
# LLVM-MCA-END polynomial
	notq	%rax
	notq	%rax
# LLVM-MCA-BEGIN repeated
	vaddps	%ymm0, %ymm1, %ymm1
	vaddps	%ymm0, %ymm1, %ymm1
	vaddps	%ymm0, %ymm1, %ymm1
# LLVM-MCA-BEGIN half
	movq	(%rsi), %rax
	movq	(%rdi), %rax
	movq	(%r8), %rax
# LLVM-MCA-END repeated
	vmovups	10(%rax), %ymm1
	vmovups	20(%rax), %ymm2
	vmovups	30(%rax), %ymm3
# LLVM-MCA-END half

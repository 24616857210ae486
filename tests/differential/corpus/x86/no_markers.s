# mca: triple=x86_64-unknown-linux-gnu cpu=lunarlake
# A snippet without markers and without a loop: the whole text is the region.
	movq	(%rdi), %rax
	popcntq	%rax, %rcx
	tzcntq	%rax, %rdx
	pdepq	%rsi, %rcx, %r8
	mulxq	%rdx, %r9, %r10
	adcxq	%r9, %r8
	vpmaddubsw	%ymm0, %ymm1, %ymm2
	vpmaddwd	%ymm2, %ymm3, %ymm4
	vpaddd	%ymm4, %ymm5, %ymm5

	movq	(%rdi), %rax
	addq	%rax, %rbx

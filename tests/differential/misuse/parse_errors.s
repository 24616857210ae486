# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
	addl	%eax, %ebx
	frobnicate	%eax
	movl	%eax
	movq	%eax, %rbx
	.unknown_directive 5
	addl	%eax, 8(%rbx,%rcx,3)
	vaddps	%zmm0, %zmm1, %zmm2
label

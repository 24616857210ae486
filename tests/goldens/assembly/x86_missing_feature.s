# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
.Lsum:
	vaddps	(%rdi), %zmm0, %zmm0
	addq	$64, %rdi
	cmpq	%rdi, %rsi
	jne	.Lsum

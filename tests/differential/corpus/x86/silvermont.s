# mca: triple=x86_64-unknown-linux-gnu cpu=silvermont iterations=25
# A narrow out-of-order core; the buffer asks for its own number of iterations.
# LLVM-MCA-BEGIN crc
	crc32q	(%rdi), %rax
	addq	$8, %rdi
	cmpq	%rsi, %rdi
	jne	again
# LLVM-MCA-END crc
again:
# LLVM-MCA-BEGIN aes
	aesenc	%xmm1, %xmm0
	aesenclast	%xmm2, %xmm0
	pclmulqdq	$17, %xmm3, %xmm4
	pshufb	%xmm5, %xmm4
	pcmpestri	$12, %xmm0, %xmm1
# LLVM-MCA-END aes

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# A reduction with one accumulator, then the same with four: the chain and its cure.
	.text
	.globl	dot
dot:
	vxorps	%xmm0, %xmm0, %xmm0
.Lone:
	# LLVM-MCA-BEGIN one accumulator
	vmovups	(%rdi,%rax,4), %ymm1
	vfmadd231ps	(%rsi,%rax,4), %ymm1, %ymm0
	addq	$8, %rax
	cmpq	%rdx, %rax
	jb	.Lone
	# LLVM-MCA-END one accumulator
.Lfour:
	# LLVM-MCA-BEGIN four accumulators
	vmovups	(%rdi,%rax,4), %ymm4
	vmovups	32(%rdi,%rax,4), %ymm5
	vmovups	64(%rdi,%rax,4), %ymm6
	vmovups	96(%rdi,%rax,4), %ymm7
	vfmadd231ps	(%rsi,%rax,4), %ymm4, %ymm0
	vfmadd231ps	32(%rsi,%rax,4), %ymm5, %ymm1
	vfmadd231ps	64(%rsi,%rax,4), %ymm6, %ymm2
	vfmadd231ps	96(%rsi,%rax,4), %ymm7, %ymm3
	addq	$32, %rax
	cmpq	%rdx, %rax
	jb	.Lfour
	# LLVM-MCA-END four accumulators
	ret

# The inner loop of a dot product, written by hand, with one accumulator and with four.
# mca: triple=x86_64-linux-gnu cpu=znver4

	.text
	.globl	dot
dot:
	xorl	%eax, %eax
	vxorps	%xmm0, %xmm0, %xmm0
# LLVM-MCA-BEGIN one accumulator
.Lone:
	vmovups	(%rdi,%rax), %ymm1
	vfmadd231ps	(%rsi,%rax), %ymm1, %ymm0
	addq	$32, %rax
	cmpq	%rdx, %rax
	jb	.Lone
# LLVM-MCA-END
	xorl	%eax, %eax
# LLVM-MCA-BEGIN four accumulators
.Lfour:
	vmovups	(%rdi,%rax), %ymm4
	vmovups	32(%rdi,%rax), %ymm5
	vmovups	64(%rdi,%rax), %ymm6
	vmovups	96(%rdi,%rax), %ymm7
	vfmadd231ps	(%rsi,%rax), %ymm4, %ymm0
	vfmadd231ps	32(%rsi,%rax), %ymm5, %ymm1
	vfmadd231ps	64(%rsi,%rax), %ymm6, %ymm2
	vfmadd231ps	96(%rsi,%rax), %ymm7, %ymm3
	subq	$-128, %rax
	cmpq	%rdx, %rax
	jb	.Lfour
# LLVM-MCA-END
	ret

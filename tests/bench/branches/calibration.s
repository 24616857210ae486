# Loops that measure the redirect penalty of a CPU. Each loads a byte, which is 0 or 1 at random, and jumps over one
# addition by it. Between load and jump stand so many dependent multiplications as the name says, so the mispredicted
# jump executes later; with the penalty, all of them must fit.
	.text

	.macro	calibrate name, multiplications
	.globl	\name
	.type	\name,@function
	.p2align	5
\name:                                  # rdi: the buffers
	movq	16(%rdi), %rdi
	leaq	8192(%rdi), %rsi
	xorl	%eax, %eax
.Lnext_\name:
	movzbl	(%rdi), %ecx
	.rept	\multiplications
	imull	$5, %ecx, %ecx
	.endr
	testl	$1, %ecx
	je	.Lskip_\name
	addl	$1, %eax
.Lskip_\name:
	incq	%rdi
	cmpq	%rsi, %rdi
	jne	.Lnext_\name
	ret
	.size	\name, .-\name
	.endm

	calibrate	calibrate_0, 0
	calibrate	calibrate_2, 2
	calibrate	calibrate_5, 5
	calibrate	calibrate_10, 10
	calibrate	calibrate_20, 20

# A chain of eight multiplications from iteration to iteration, which the jump does not wait for.
	.globl	calibrate_apart
	.type	calibrate_apart,@function
	.p2align	5
calibrate_apart:
	movq	16(%rdi), %rdi
	leaq	8192(%rdi), %rsi
	xorl	%eax, %eax
	movl	$3, %edx
.Lnext_apart:
	movzbl	(%rdi), %ecx
	.rept	8
	imull	%edx, %edx
	.endr
	testl	$1, %ecx
	je	.Lskip_apart
	addl	$1, %eax
.Lskip_apart:
	incq	%rdi
	cmpq	%rsi, %rdi
	jne	.Lnext_apart
	ret
	.size	calibrate_apart, .-calibrate_apart

# A chain of four multiplications from iteration to iteration, which the jump waits for.
	.globl	calibrate_chain
	.type	calibrate_chain,@function
	.p2align	5
calibrate_chain:
	movq	16(%rdi), %rdi
	leaq	8192(%rdi), %rsi
	xorl	%eax, %eax
	movl	$2, %edx
.Lnext_chain:
	movzbl	(%rdi), %ecx
	.rept	4
	imull	$6, %edx, %edx
	.endr
	addl	%edx, %ecx
	testl	$1, %ecx
	je	.Lskip_chain
	addl	$1, %eax
.Lskip_chain:
	incq	%rdi
	cmpq	%rsi, %rdi
	jne	.Lnext_chain
	ret
	.size	calibrate_chain, .-calibrate_chain

	.section	.note.GNU-stack,"",@progbits

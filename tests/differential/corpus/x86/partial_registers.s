# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# Writes to parts of a register, and reads of the whole behind them.
# LLVM-MCA-BEGIN byte merge
	movb	(%rsi), %al
	movb	1(%rsi), %ah
	addl	%eax, %edx
	incq	%rsi
# LLVM-MCA-END byte merge
# LLVM-MCA-BEGIN flags to bytes
	cmpl	%ecx, %edx
	setl	%al
	movzbl	%al, %eax
	addl	%eax, %ebx
	sarw	$3, %dx
# LLVM-MCA-END flags to bytes
# LLVM-MCA-BEGIN scalar into vector
	cvtsi2ss	%eax, %xmm0
	sqrtss	%xmm0, %xmm1
	movlps	(%rdi), %xmm2
	movhps	8(%rdi), %xmm2
	addps	%xmm2, %xmm1
# LLVM-MCA-END scalar into vector

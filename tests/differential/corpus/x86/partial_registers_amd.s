# mca: triple=x86_64-unknown-linux-gnu cpu=btver2
# The same question to a CPU that merges every partial write.
# LLVM-MCA-BEGIN words
	movw	(%rsi), %ax
	addw	2(%rsi), %ax
	movswl	%ax, %ecx
	imulw	%cx, %dx
	leaw	(%rsi,%rdi), %bx
# LLVM-MCA-END words
# LLVM-MCA-BEGIN bytes
	xorb	%al, %al
	addb	%bl, %al
	movzbl	%al, %ecx
	adcb	$0, %ch
# LLVM-MCA-END bytes

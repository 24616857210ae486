# Sums the positive ones of an array's elements: the branch depends on the data.
# mca: triple=x86_64-linux-gnu cpu=skylake
	.text
	.type	positive,@function
positive:                               # rdi: the array, rsi: its end
	xorl	%eax, %eax
.Lnext:
	movl	(%rdi), %ecx
	testl	%ecx, %ecx
	jle	.Lskip
	addl	%ecx, %eax
.Lskip:
	addq	$4, %rdi
	cmpq	%rsi, %rdi
	jne	.Lnext
	ret

# mca: triple=x86_64-linux-gnu cpu=znver3
# Instructions as data count where control flow reaches them. Tables do not, and bytes that are no instruction make a
# lower bound.
	.text
	.type	mul, @function
mul:
.Lmul:
	.byte	0xc4, 0x62, 0xab, 0xf6, 0x06	# mulx (%rsi), %r10, %r8
	.byte	0x66, 0x4d, 0x0f, 0x38
	.byte	0xf6, 0xc8			# adcx %r8, %r9
	addq	$8, %rsi
	decq	%rcx
	jne	.Lmul
	.byte	0xf3
	ret
table:
	.long	1, 2, 3
	.type	old, @function
old:
.Lold:
	addl	(%rdi), %eax
	.byte	0x06				# push %es, of 32-bit code
	addq	$4, %rdi
	decq	%rcx
	jne	.Lold
	ret

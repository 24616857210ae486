# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# What cannot be read costs its line alone, also in a macro.
	.macro	twice reg
	addl	\reg, \reg
	addl	\reg, %nothing
	.endm
first:
#  ^ hint: ≥ 1.0 cyc · lacks 1 line
#  | region loop (loop) to line 13: 5 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
#  |   caveat: a line in it could not be read and is missing
	movl	(%rdi), %eax
	movl	(%rdi), %eax, %ebx
#  | finding 21-25: error parse-error: invalid operand for instruction
	addl	%eax, %edx
	addq	$4, %rdi
	decq	%rsi
	jne	first
	frobnicate	%eax
#  | finding 2-17: error parse-error: invalid instruction mnemonic 'frobnicate'
second:
#  ^ hint: ≥ 1.0 cyc · lacks 1 line
#  | region loop (loop) to line 18: 3 instructions, 100 iterations in 104 cycles, block rthroughput 0.50
#  |   caveat: a line in it could not be read and is missing
	twice	%ecx
#  | finding 2-12: error parse-error: invalid register name
	decq	%rsi
	jne	second
	.balign	banana
#  | finding 10-16: error parse-error: expected absolute expression
	ret

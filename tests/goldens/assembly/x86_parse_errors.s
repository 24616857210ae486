# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# What cannot be read costs its line alone, also in a macro.
	.macro	twice reg
	addl	\reg, \reg
	addl	\reg, %nothing
	.endm
first:
#  ^ hint: ≈ IPC 5.00 · 1.0 cyc · p0156
#  | finding 1-7: information resource-bottleneck: loop: limited by SKLPort0, SKLPort1, SKLPort5 and 1 more: 4 instructions keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 10: addl %eax, %edx: SKLPort1 for 0.97 cycles
#  |   line 11: addq $4, %rdi: SKLPort6 for 0.97 cycles
#  |   line 12: decq %rsi: SKLPort5 for 0.97 cycles
#  |   line 13: jne first: SKLPort0 for 0.99 cycles
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
#  ^ hint: ≈ IPC 3.00 · 1.0 cyc · dep
#  | finding 1-8: information register-dependency: loop: limited by a loop-carried chain through rsi: 1.0 of 1.0 cycles per iteration
#  |   line 17: decq %rsi: rsi after 1 cycle, for the next iteration
#  | region loop (loop) to line 18: 3 instructions, 100 iterations in 104 cycles, block rthroughput 0.50
#  |   caveat: a line in it could not be read and is missing
	twice	%ecx
#  | finding 2-12: error parse-error: invalid register name
	decq	%rsi
	jne	second
	.balign	banana
#  | finding 10-16: error parse-error: expected absolute expression
	ret

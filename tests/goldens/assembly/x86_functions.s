# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# Neither markers nor a loop, but functions: each has its own numbers.
	.text
	.type	multiply, @function
multiply:
#  ^ hint: IPC 0.67 · 6.0 cyc · dep
#  | finding 1-10: information register-dependency: function multiply: limited by a loop-carried chain through rsi: 6.0 of 6.0 cycles per iteration
#  |   line 6: imulq %rdi, %rsi: rsi after 3 cycles
#  |   line 7: imulq %rsi, %rsi: rsi after 3 cycles, for the next iteration
#  | region function multiply (snippet) to line 9: 4 instructions, 100 iterations in 604 cycles, block rthroughput 2.00
	imulq	%rdi, %rsi
	imulq	%rsi, %rsi
	leaq	(%rsi,%rdi), %rax
	ret
	.size	multiply, .-multiply
	.section	.rodata
factor:
	.quad	3
	.text
divide:
#  ^ hint: ≥ 26.0 cyc · calls multiply
#  | finding 1-8: hint call: function divide: at least 26.0 cycles per iteration: it calls multiply, whose time is not in the cycles
#  | region function divide (snippet) to line 18: 3 instructions, 100 iterations in 2610 cycles, block rthroughput 8.00
#  |   calls: multiply
	vdivps	(%rdi), %ymm0, %ymm1
	vsqrtps	%ymm1, %ymm0
	jmp	multiply
choose:
#  ^ hint: ≈ IPC 4.00 · 1.0 cyc · ALU0,BRU1
#  | finding 1-8: information resource-bottleneck: function choose: limited by Zn4ALU0 and Zn4BRU1: 1 je and 1 other keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 21: je .Lnone: Zn4BRU1 for 0.99 cycles
#  |   line 24: retq: Zn4ALU0 for 0.99 cycles
#  | region function choose (snippet) to line 24: 4 instructions, 100 iterations in 108 cycles, block rthroughput 1.00
#  |   caveat: the text branches: it is simulated from its first to its last line
	testq	%rdi, %rdi
	je	.Lnone
	movq	(%rdi), %rax
.Lnone:
	ret

# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
#  | target: x86_64-unknown-linux-gnu znver3 (set in the buffer); znver3: its own model
# A call costs an assumed time.
	.type	each,@function
each:
	pushq	%rbx
.Lagain:
#  ^ hint: ≥ 1.0 cyc · calls work
#  | finding 1-9: hint call: loop in each: at least 1.0 cycles per iteration: it calls work, whose time is not in the cycles
#  |   line 8: callq work@PLT: not simulated
#  | region loop in each (loop) to line 11: 5 instructions, 100 iterations in 107 cycles, block rthroughput 1.00
#  |   calls: work
	movq	(%rbx), %rdi
	callq	work@PLT
	addq	$8, %rbx
	cmpq	%rbx, %r12
	jne	.Lagain
	popq	%rbx
	retq

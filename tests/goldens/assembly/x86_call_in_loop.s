# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
#  | target: x86_64-unknown-linux-gnu znver3 (set in the buffer); znver3: its own model
# A call costs an assumed time.
	.type	each,@function
each:
	pushq	%rbx
.Lagain:
#  ^ hint: IPC 2.40 · 2.1 cyc ≈
#  | region loop in each (loop) to line 11: 5 instructions, 100 iterations in 308 cycles, block rthroughput 1.00
#  |   caveat: holds a call: what it executes is not simulated
	movq	(%rbx), %rdi
	callq	work@PLT
#  | finding 2-16: information call: `callq work@PLT`: what it executes is not simulated, an iteration takes longer than the 2.1 cycles shown
	addq	$8, %rbx
	cmpq	%rbx, %r12
	jne	.Lagain
	popq	%rbx
	retq

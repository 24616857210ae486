# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
#  | target: x86_64-unknown-linux-gnu znver3 (set in the buffer); znver3: its own model
# A call costs an assumed time.
	.type	each,@function
each:
	pushq	%rbx
.Lagain:
#  ^ hint: IPC 1.62 · 3.1 cyc ≈
#  | finding 1-9: information register-dependency: loop in each: limited by register dependencies: 3.1 cycles per iteration where resources and dispatch need 1.0
#  |   line 11: jne .Lagain: waits 3.5 cycles for operands (first 10 iterations)
#  |   line 10: cmpq %rbx, %r12: waits 2.6 cycles for operands (first 10 iterations)
#  |   line 7: movq (%rbx), %rdi: waits 2.1 cycles for operands (first 10 iterations)
#  | region loop in each (loop) to line 11: 5 instructions, 100 iterations in 308 cycles, block rthroughput 1.00
#  |   caveat: holds a call, each assumed to take 100 cycles
	movq	(%rbx), %rdi
	callq	work@PLT
	addq	$8, %rbx
	cmpq	%rbx, %r12
	jne	.Lagain
	popq	%rbx
	retq

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# Neither markers nor a loop: a hash, pasted from somewhere.
	imulq	%rdx, %rax
#  ^ hint: IPC 1.24 · 4.0 cyc
#  | finding 2-18: information register-dependency: whole text: limited by register dependencies: a loop-carried chain takes 4.0 of 4.0 cycles per iteration
#  |   line 3: imulq %rdx, %rax: in the chain
#  |   line 4: rorq $29, %rax: in the chain
#  | region whole text (snippet) to line 7: 5 instructions, 100 iterations in 404 cycles, block rthroughput 2.00
	rorq	$29, %rax
	xorq	%rax, %rcx
	mulxq	%rsi, %r8, %r9
	xorq	%r8, %r9

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# Neither markers nor a loop: a hash, pasted from somewhere.
	imulq	%rdx, %rax
#  ^ hint: IPC 1.25 · 4.0 cyc · dep
#  | finding 2-18: information register-dependency: whole text: limited by a loop-carried chain through rax: 4.0 of 4.0 cycles per iteration
#  |   line 3: imulq %rdx, %rax: rax after 3 cycles
#  |   line 4: rorq $29, %rax: rax after 1 cycle, for the next iteration
#  | region whole text (snippet) to line 7: 5 instructions, 100 iterations in 404 cycles, block rthroughput 2.00
	rorq	$29, %rax
	xorq	%rax, %rcx
	mulxq	%rsi, %r8, %r9
	xorq	%r8, %r9

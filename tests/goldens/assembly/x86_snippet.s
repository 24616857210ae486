# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# Neither markers nor a loop: a hash, pasted from somewhere.
	imulq	%rdx, %rax
#  ^ hint: IPC 1.24 · 4.0 cyc
#  | finding 2-18: information register-dependency: whole text: limited by register dependencies: 4.0 cycles per iteration where resources and dispatch need 2.0
#  |   line 5: xorq %rax, %rcx: waits 18.5 cycles for operands (first 10 iterations)
#  |   line 4: rorq $29, %rax: waits 17.5 cycles for operands (first 10 iterations)
#  |   line 3: imulq %rdx, %rax: waits 14.4 cycles for operands (first 10 iterations)
#  | region whole text (snippet) to line 7: 5 instructions, 100 iterations in 404 cycles, block rthroughput 2.00
	rorq	$29, %rax
	xorq	%rax, %rcx
	mulxq	%rsi, %r8, %r9
	xorq	%r8, %r9

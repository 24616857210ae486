# mca: triple=x86_64-unknown-linux-gnu cpu=btver2
#  | target: x86_64-unknown-linux-gnu btver2 (set in the buffer); btver2: its own model
# More micro-ops than a narrow machine takes in.
.Lloop:
#  ^ hint: IPC 2.00 · 3.5 cyc · dispatch
#  | finding 1-8: information dispatch-limit: loop: limited by dispatch: 7.0 micro-ops, at most 2 per cycle, take 3.5 of 3.5 cycles per iteration
#  | region loop (loop) to line 10: 7 instructions, 100 iterations in 356 cycles, block rthroughput 3.50
	movl	(%rdi), %eax
	addl	%ecx, %eax
	xorl	%edx, %esi
	pand	%xmm0, %xmm1
	paddd	%xmm2, %xmm3
	decl	%r8d
	jne	.Lloop

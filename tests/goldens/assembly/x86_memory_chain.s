# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Each iteration reads what the one before has stored; the model takes loads and stores never to meet.
.Lloop:
#  ^ hint: IPC 5.00 · 1.0 cyc · p4
#  | finding 1-8: information resource-bottleneck: loop: limited by SKLPort4: 1 movq keeps it busy in 1.0 of 1.0 cycles per iteration
#  |   line 6: movq %rax, (%rdi): SKLPort4 for 1.00 cycles
#  | region loop (loop) to line 8: 5 instructions, 100 iterations in 109 cycles, block rthroughput 1.00
	movq	(%rdi), %rax
	addq	%rsi, %rax
	movq	%rax, (%rdi)
	decq	%rcx
	jne	.Lloop

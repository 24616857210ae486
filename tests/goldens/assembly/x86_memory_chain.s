# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Each iteration reads what the one before has stored; the model takes loads and stores never to meet.
.Lloop:
#  ^ hint: IPC 0.71 · 7.0 cyc · mem
#  | finding 1-8: information memory-dependency: loop: limited by a loop-carried chain through memory: 7.0 of 7.0 cycles per iteration
#  |   line 4: movq (%rdi), %rax: rax after 5 cycles
#  |   line 5: addq %rsi, %rax: rax after 1 cycle
#  |   line 6: movq %rax, (%rdi): memory after 1 cycle, for the next iteration
#  | region loop (loop) to line 8: 5 instructions, 100 iterations in 703 cycles, block rthroughput 1.00
	movq	(%rdi), %rax
	addq	%rsi, %rax
	movq	%rax, (%rdi)
	decq	%rcx
	jne	.Lloop

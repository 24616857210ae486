# mca: triple=x86_64-linux-gnu cpu=skylake
#  | target: x86_64-linux-gnu skylake (set in the buffer); skylake: its own model
# The loop is entered at its test, which stands below the line that cannot be read.
	jmp	.Ltest
.Lbody:
#  ^ hint: ≈ IPC 4.00 · 1.0 cyc · p0156
#  | finding 1-8: information resource-bottleneck: loop: limited by SKLPort0, SKLPort1, SKLPort5 and 1 more: 4 instructions keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 9: cmpq %rsi, %rcx: SKLPort6 for 1.00 cycles
#  |   line 10: jne .Lbody: SKLPort0 for 1.00 cycles
#  |   line 6: addq (%rdi,%rcx,8), %rax: SKLPort5 for 1.00 cycles
#  |   line 7: incq %rcx: SKLPort1 for 1.00 cycles
#  | region loop (loop) to line 10: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
#  |   caveat: a line in it could not be read and is missing
	bogus	%rax
#  | finding 2-12: error parse-error: invalid instruction mnemonic 'bogus'
	addq	(%rdi,%rcx,8), %rax
	incq	%rcx
.Ltest:
	cmpq	%rsi, %rcx
	jne	.Lbody
	ret

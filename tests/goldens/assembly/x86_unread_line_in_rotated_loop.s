# mca: triple=x86_64-linux-gnu cpu=skylake
#  | target: x86_64-linux-gnu skylake (set in the buffer); skylake: its own model
# The loop is entered at its test, which stands below the line that cannot be read.
	jmp	.Ltest
.Lbody:
#  ^ hint: ≥ 1.0 cyc · lacks 1 line
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

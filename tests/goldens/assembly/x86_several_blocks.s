# mca: triple=x86_64-unknown-linux-gnu cpu=haswell
#  | target: x86_64-unknown-linux-gnu haswell (set in the buffer); haswell: its own model
# A loop with a decision in it, entered in the middle.
	.type	count,@function
count:
	xorl	%eax, %eax
	jmp	.Ltest
.Lbody:
#  ^ hint: 1.5–12 cyc · dispatch
#  | finding 1-8: information dispatch-limit: loop in count, through line 10: limited by dispatch: 7.0 micro-ops, at most 4 per cycle and some only together, take 2.0 of 2.0 cycles per iteration
#  | region loop in count, through line 10 (path) to line 15: 6 instructions, 100 iterations in 208 cycles, block rthroughput 1.75
#  | region loop in count, not through line 10 (path) to line 15: 5 instructions, 100 iterations in 159 cycles, block rthroughput 1.50
	cmpb	$32, (%rdi)
	jne	.Lskip
	incl	%eax
.Lskip:
	incq	%rdi
.Ltest:
	cmpq	%rsi, %rdi
	jb	.Lbody
	ret

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# A counter in memory: each iteration loads what the last one stored. Nothing writes rdi.
	.type	count,@function
count:
.Lcount:
#  ^ hint: IPC 0.83 · 6.0 cyc · mem
#  | finding 1-9: information memory-dependency: loop in count: limited by a loop-carried chain through memory: 6.0 of 6.0 cycles per iteration
#  |   line 6: incl (%rdi): memory after 6 cycles, for the next iteration
#  | region loop in count (loop) to line 10: 5 instructions, 100 iterations in 603 cycles, block rthroughput 1.50
	incl	(%rdi)
	movl	%ecx, (%rsi,%rcx,4)
	incq	%rcx
	cmpq	%rcx, %rdx
	jne	.Lcount
	ret
# A spill: load, add and store are the chain.
	.type	sum,@function
sum:
.Lsum:
#  ^ hint: IPC 0.86 · 7.0 cyc · mem
#  | finding 1-7: information memory-dependency: loop in sum: limited by a loop-carried chain through memory: 7.0 of 7.0 cycles per iteration
#  |   line 16: movl -4(%rsp), %eax: eax after 5 cycles
#  |   line 17: addl (%rdi,%rcx,4), %eax: eax after 1 cycle
#  |   line 18: movl %eax, -4(%rsp): memory after 1 cycle, for the next iteration
#  | region loop in sum (loop) to line 21: 6 instructions, 100 iterations in 703 cycles, block rthroughput 1.33
	movl	-4(%rsp), %eax
	addl	(%rdi,%rcx,4), %eax
	movl	%eax, -4(%rsp)
	incq	%rcx
	cmpq	%rcx, %rdx
	jne	.Lsum
	ret

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
#  | target: x86_64-unknown-linux-gnu znver4 (set in the buffer); znver4: its own model
# The copy in rsi is read after rax has been written again: the model lets it wait for that.
	.text
suffix:
.Lloop:
#  ^ hint: ≈ IPC 0.50 · 16.0 cyc · dep
#  | finding 1-8: information register-dependency: loop: limited by a loop-carried chain through rdi: 16.0 of 16.0 cycles per iteration
#  |   line 7: imulq %rcx, %rdi: rdi after 3 cycles
#  |   line 8: movl (%r11,%rdi,4), %eax: eax after 5 cycles
#  |   line 9: imulq %rbx, %rax: rax after 3 cycles
#  |   line 10: movq (%rsi), %rdi: rdi after 5 cycles, for the next iteration
#  | region loop (loop) to line 13: 8 instructions, 100 iterations in 1603 cycles, block rthroughput 2.00
#  |   caveat: the chain goes through the copy `movq %rax, %rsi`: the model lets rsi wait for later writes of rax, which a CPU does not; 2.0 cycles per iteration if rsi keeps its value
	movq	%rax, %rsi
	imulq	%rcx, %rdi
	movl	(%r11,%rdi,4), %eax
	imulq	%rbx, %rax
	movq	(%rsi), %rdi
	leaq	8(%rsi), %rax
	decq	%rdx
	jne	.Lloop
	ret

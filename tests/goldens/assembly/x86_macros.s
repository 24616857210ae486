# mca: triple=x86_64-unknown-linux-gnu cpu=alderlake
#  | target: x86_64-unknown-linux-gnu alderlake (set in the buffer); alderlake: its own model
# What macros make stands where they are called.
	.macro	step reg
	imulq	%rdx, \reg
	addq	$1, \reg
	.endm
	.macro	steps
	step	%rax
	step	%rbx
	.endm
.Lloop:
#  ^ hint: IPC 1.25 · 8.0 cyc · dep
#  | finding 1-8: information register-dependency: loop: limited by a loop-carried chain through rcx: 8.0 of 8.0 cycles per iteration
#  |   line 13: imulq %rdx, %rcx: rcx after 3 cycles
#  |   line 13: addq $1, %rcx: rcx after 1 cycle
#  |   line 13: imulq %rdx, %rcx: rcx after 3 cycles
#  |   line 13: addq $1, %rcx: rcx after 1 cycle, for the next iteration
#  | region loop (loop) to line 17: 10 instructions, 100 iterations in 805 cycles, block rthroughput 4.00
	steps
	.rept	2
	step	%rcx
	.endr
	decq	%rsi
	jne	.Lloop

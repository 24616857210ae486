# mca: triple=x86_64-unknown-linux-gnu cpu=icelake-server
#  | target: x86_64-unknown-linux-gnu icelake-server (set in the buffer); icelake-server: its own model
# Only the innermost loops get a hint.
	.type	multiply,@function
multiply:
.Lrow:
	movq	%rdx, %rcx
.Lcolumn:
	vbroadcastss	(%rsi), %zmm0
	xorl	%eax, %eax
.Linner:
#  ^ hint: IPC 1.00 · 4.0 cyc · dep
#  | finding 1-9: information register-dependency: loop in multiply: limited by a loop-carried chain through zmm1: 4.0 of 4.0 cycles per iteration
#  |   line 11: vfmadd231ps (%rdi,%rax), %zmm0, %zmm1: zmm1 after 4 cycles, for the next iteration
#  | region loop in multiply (loop) to line 14: 4 instructions, 100 iterations in 410 cycles, block rthroughput 1.00
	vfmadd231ps	(%rdi,%rax), %zmm0, %zmm1
	addq	$64, %rax
	cmpq	$1024, %rax
	jne	.Linner
	addq	$4, %rsi
	decq	%rcx
	jne	.Lcolumn
.Lclear:
#  ^ hint: IPC 4.00 · 1.0 cyc · dep
#  | finding 1-9: information register-dependency: loop in multiply: limited by a loop-carried chain through rdi: 1.0 of 1.0 cycles per iteration
#  |   line 20: addq $4, %rdi: rdi after 1 cycle, for the next iteration
#  | region loop in multiply (loop) to line 22: 4 instructions, 100 iterations in 105 cycles, block rthroughput 0.67
	movl	$0, (%rdi)
	addq	$4, %rdi
	cmpq	%rdi, %r8
	jne	.Lclear
	decq	%r9
	jne	.Lrow
	ret

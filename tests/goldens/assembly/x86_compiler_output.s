# mca: triple=x86_64-unknown-linux-gnu cpu=sapphirerapids
#  | target: x86_64-unknown-linux-gnu sapphirerapids (set in the buffer); sapphirerapids: its own model
# As a compiler writes it: directives, debug lines, jump tables and constants between the instructions.
	.file	"sum.c"
	.text
	.globl	sum
	.type	sum, @function
sum:
.LFB0:
	.file 1 "sum.c"
	.loc 1 2 40 view -0
	.cfi_startproc
	vxorps	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L3:
#  ^ hint: IPC 1.33 · 3.0 cyc · dep
#  | finding 1-5: information register-dependency: loop in sum: limited by a loop-carried chain through xmm0: 3.0 of 3.0 cycles per iteration
#  |   line 17: vaddss (%rdi), %xmm0, %xmm0: xmm0 after 3 cycles, for the next iteration
#  | region loop in sum (loop) to line 20: 4 instructions, 100 iterations in 308 cycles, block rthroughput 0.67
#  |   model: corrected: the load of `vaddss (%rdi), %xmm0, %xmm0` need not wait for its other operands, as it does in the model (Agner Fog's microarchitecture manual, micro-op fusion; measured on an Emerald Rapids)
#  |   model: LLVM's model has 4.00 cycles per iteration without corrections
	.loc 1 4 5 is_stmt 1 discriminator 3 view .LVU5
	vaddss	(%rdi), %xmm0, %xmm0
	addq	$4, %rdi
	cmpq	%rdi, %rsi
	jne	.L3
	ret
	.cfi_endproc
	.size	sum, .-sum
	.section	.rodata
	.align 4
.LC0:
	.long	1065353216
	.ident	"by hand"

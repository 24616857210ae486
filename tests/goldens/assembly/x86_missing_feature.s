# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
#  | target: x86_64-unknown-linux-gnu znver3 (set in the buffer); znver3: its own model
.Lsum:
#  ^ hint: ≥ 1.0 cyc · lacks vaddps
#  | region loop (loop) to line 6: 3 instructions, 100 iterations in 105 cycles, block rthroughput 0.50
#  |   caveat: 1 of its instructions (`vaddps`) has no scheduling data on znver3 and is missing
	vaddps	(%rdi), %zmm0, %zmm0
#  | finding 2-29: warning missing-feature: 1 line needs avx512f, which znver3 lacks; znver4 has it
	addq	$64, %rdi
	cmpq	%rdi, %rsi
	jne	.Lsum

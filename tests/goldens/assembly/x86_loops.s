# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Two functions with a loop each; the markers are around the second loop exactly.
	.type	sum,@function
sum:
	xorl	%eax, %eax
.Lsum:
#  ^ hint: IPC 4.00 · 1.0 cyc · p0156
#  | finding 1-7: information resource-bottleneck: loop in sum: limited by SKLPort0, SKLPort1, SKLPort5 and 1 more: 4 instructions keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 7: addl (%rdi), %eax: SKLPort6 for 1.00 cycles
#  |   line 8: addq $4, %rdi: SKLPort5 for 1.00 cycles
#  |   line 9: decq %rsi: SKLPort1 for 1.00 cycles
#  |   line 10: jne .Lsum: SKLPort0 for 1.00 cycles
#  | region loop in sum (loop) to line 10: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
	addl	(%rdi), %eax
	addq	$4, %rdi
	decq	%rsi
	jne	.Lsum
	ret
	.type	scale,@function
scale:
	# LLVM-MCA-BEGIN
#  ^ hint: IPC 4.00 · 1.3 cyc · dispatch
#  | finding 2-18: information dispatch-limit: region: limited by dispatch: 7.0 micro-ops, at most 6 per cycle and some only together, take 1.3 of 1.3 cycles per iteration
#  | region (unnamed) (marker) to line 21: 5 instructions, 100 iterations in 139 cycles, block rthroughput 1.17
.Lscale:
	vmulps	(%rdi), %ymm0, %ymm1
	vmovups	%ymm1, (%rdi)
	addq	$32, %rdi
	decq	%rsi
	jne	.Lscale
	# LLVM-MCA-END
	ret

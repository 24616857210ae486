# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Marker regions: named, nested, anonymous.
	.text
kernel:
	# LLVM-MCA-BEGIN outer
#  ^ hint: IPC 0.27 · 15.0 cyc · mem
#  | finding 2-24: information memory-dependency: outer: limited by a loop-carried chain through memory: 15.0 of 15.0 cycles per iteration
#  |   line 6: movups (%rdi), %xmm0: xmm0 after 6 cycles
#  |   line 8: mulps %xmm0, %xmm1: xmm1 after 4 cycles
#  |   line 9: addps %xmm1, %xmm2: xmm2 after 4 cycles
#  |   line 11: movups %xmm2, (%rdi): memory after 1 cycle, for the next iteration
#  | region outer (marker) to line 12: 4 instructions, 100 iterations in 1503 cycles, block rthroughput 1.00
	movups	(%rdi), %xmm0
	# LLVM-MCA-BEGIN inner
#  ^ hint: IPC 0.50 · 4.0 cyc · dep
#  | finding 2-24: information register-dependency: inner: limited by a loop-carried chain through xmm2: 4.0 of 4.0 cycles per iteration
#  |   line 9: addps %xmm1, %xmm2: xmm2 after 4 cycles, for the next iteration
#  | region inner (marker) to line 10: 2 instructions, 100 iterations in 407 cycles, block rthroughput 1.00
	mulps	%xmm0, %xmm1
	addps	%xmm1, %xmm2
	# LLVM-MCA-END inner
	movups	%xmm2, (%rdi)
	# LLVM-MCA-END outer

	# LLVM-MCA-BEGIN
#  ^ hint: IPC 0.33 · 3.0 cyc · dep
#  | finding 2-18: information register-dependency: region: limited by a loop-carried chain through rax: 3.0 of 3.0 cycles per iteration
#  |   line 15: imulq %rax, %rax: rax after 3 cycles, for the next iteration
#  | region (unnamed) (marker) to line 16: 1 instructions, 100 iterations in 303 cycles, block rthroughput 1.00
	imulq	%rax, %rax
	# LLVM-MCA-END
	ret

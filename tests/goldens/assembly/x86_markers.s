# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Marker regions: named, nested, anonymous.
	.text
kernel:
	# LLVM-MCA-BEGIN outer
#  ^ hint: IPC 0.97 · 4.1 cyc
#  | finding 2-24: information register-dependency: outer: limited by register dependencies: 4.1 cycles per iteration where resources and dispatch need 1.0
#  |   line 11: movups %xmm2, (%rdi): waits 28.5 cycles for operands (first 10 iterations)
#  |   line 9: addps %xmm1, %xmm2: waits 25.2 cycles for operands (first 10 iterations)
#  |   line 8: mulps %xmm0, %xmm1: waits 21.3 cycles for operands (first 10 iterations)
#  | region outer (marker) to line 12: 4 instructions, 100 iterations in 414 cycles, block rthroughput 1.00
	movups	(%rdi), %xmm0
	# LLVM-MCA-BEGIN inner
#  ^ hint: IPC 0.49 · 4.1 cyc
#  | finding 2-24: information register-dependency: inner: limited by register dependencies: 4.1 cycles per iteration where resources and dispatch need 1.0
#  |   line 9: addps %xmm1, %xmm2: waits 21.8 cycles for operands (first 10 iterations)
#  |   line 8: mulps %xmm0, %xmm1: waits 17.7 cycles for operands (first 10 iterations)
#  | region inner (marker) to line 10: 2 instructions, 100 iterations in 407 cycles, block rthroughput 1.00
	mulps	%xmm0, %xmm1
	addps	%xmm1, %xmm2
	# LLVM-MCA-END inner
	movups	%xmm2, (%rdi)
	# LLVM-MCA-END outer

	# LLVM-MCA-BEGIN
#  ^ hint: IPC 0.33 · 3.0 cyc
#  | finding 2-18: information register-dependency: region: limited by register dependencies: 3.0 cycles per iteration where resources and dispatch need 1.0
#  |   line 15: imulq %rax, %rax: waits 14.0 cycles for operands (first 10 iterations)
#  | region (unnamed) (marker) to line 16: 1 instructions, 100 iterations in 303 cycles, block rthroughput 1.00
	imulq	%rax, %rax
	# LLVM-MCA-END
	ret

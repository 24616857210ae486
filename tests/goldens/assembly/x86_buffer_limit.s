# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# A long chain in each iteration, none from one to the next: how many iterations overlap depends on the buffers.
	.type	polynomial,@function
polynomial:
.Lpolynomial:
#  ^ hint: IPC 1.82 · 14.3 cyc · sched
#  | finding 1-14: information buffer-limit: loop in polynomial: limited by the size of the scheduler's buffers: dispatch waits for room in 13.4 of 14.3 cycles per iteration; 10.0 with larger buffers
#  |   line 23: vfmadd213ss %xmm1, %xmm2, %xmm0: waits 1.1 cycles for room in the scheduler
#  |   line 17: vfmadd213ss %xmm1, %xmm2, %xmm0: waits 1.1 cycles for room in the scheduler
#  |   line 29: incq %rcx: waits 1.1 cycles for room in the scheduler
#  |   line 14: vfmadd213ss %xmm1, %xmm2, %xmm0: waits 0.9 cycles for room in the scheduler
#  |   line 26: vfmadd213ss %xmm1, %xmm2, %xmm0: waits 0.7 cycles for room in the scheduler
#  | region loop in polynomial (loop) to line 31: 26 instructions, 100 iterations in 1482 cycles, block rthroughput 10.00
	vmovss	(%rdi,%rcx,4), %xmm2
	vmovaps	%xmm1, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vfmadd213ss	%xmm1, %xmm2, %xmm0
	vmovss	%xmm0, (%rsi,%rcx,4)
	incq	%rcx
	cmpq	%rcx, %rdx
	jne	.Lpolynomial
	ret

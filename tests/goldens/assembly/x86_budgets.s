# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Budgets of marked regions: met, exceeded, on another CPU, mistaken, and without anything to check.
	.text
kernel:
	# LLVM-MCA-BEGIN met
#  ^ hint: IPC 0.50 · 4.0 cyc · dep
#  | finding 2-22: information register-dependency: met: limited by a loop-carried chain through xmm2: 4.0 of 4.0 cycles per iteration
#  |   line 8: addps %xmm1, %xmm2: xmm2 after 4 cycles, for the next iteration
#  | region met (marker) to line 9: 2 instructions, 100 iterations in 407 cycles, block rthroughput 1.00
#  |   budget: cycles 4.000 of 4.100 on skylake, met
#  |   budget: ipc 0.500 of 0.490 on skylake, met
	# mca: cycles<=4.1 ipc>=0.49
	mulps	%xmm0, %xmm1
	addps	%xmm1, %xmm2
	# LLVM-MCA-END met
	# LLVM-MCA-BEGIN exceeded
#  ^ hint: IPC 0.33 · 3.0 cyc · dep
#  | finding 2-27: information register-dependency: exceeded: limited by a loop-carried chain through rax: 3.0 of 3.0 cycles per iteration
#  |   line 13: imulq %rax, %rax: rax after 3 cycles, for the next iteration
#  | region exceeded (marker) to line 14: 1 instructions, 100 iterations in 303 cycles, block rthroughput 1.00
#  |   budget: cycles 3.000 of 2.500 on skylake, not met
#  |   budget: ipc 0.330 of 0.400 on skylake, not met
#  |   budget: cycles 3.000 of 3.050 on znver4, met
	# mca: cycles<=2.5 ipc>=0.4
#  | finding 2-29: warning budget-exceeded: cycles 3.0 > 2.5 on skylake: exceeded; limited by a loop-carried chain through rax: 3.0 of 3.0 cycles per iteration
#  | finding 2-29: warning budget-exceeded: ipc 0.33 < 0.4 on skylake: exceeded; limited by a loop-carried chain through rax: 3.0 of 3.0 cycles per iteration
	# mca: cycles<=3.05 cpu=znver4
	imulq	%rax, %rax
	# LLVM-MCA-END exceeded
	# LLVM-MCA-BEGIN mistakes
#  ^ hint: IPC 1.00 · 1.0 cyc · dep
#  | finding 2-27: information register-dependency: mistakes: limited by a loop-carried chain through eax: 1.0 of 1.0 cycles per iteration
#  |   line 17: addl %eax, %eax: eax after 1 cycle, for the next iteration
#  | region mistakes (marker) to line 18: 1 instructions, 100 iterations in 103 cycles, block rthroughput 0.25
#  |   budget: ipc 1.000 of 1.000 on znver4, met
	# mca: cycles<=fast cycles>=2 cpu=znver4 iterations=3 ipc>=1
#  | finding 9-21: warning buffer-settings: 'fast' is no number above 0
#  | finding 22-31: warning buffer-settings: unknown condition 'cycles>=2': cycles<=NUMBER and ipc>=NUMBER are known
#  | finding 43-55: warning buffer-settings: 'iterations=3' is no part of a budget: cycles<=NUMBER, ipc>=NUMBER and cpu=NAME are
	addl	%eax, %eax
	# LLVM-MCA-END mistakes
	# mca: cycles<=3
#  | finding 2-18: warning buffer-settings: a budget belongs directly below the LLVM-MCA-BEGIN of its region
	# LLVM-MCA-BEGIN nowhere
#  ^ hint: IPC 1.00 · 1.0 cyc · dep
#  | finding 2-26: information register-dependency: nowhere: limited by a loop-carried chain through eax: 1.0 of 1.0 cycles per iteration
#  |   line 22: addl %eax, %eax: eax after 1 cycle, for the next iteration
#  | region nowhere (marker) to line 23: 1 instructions, 100 iterations in 103 cycles, block rthroughput 0.25
#  |   budget: cycles 0.000 of 3.000 on no-such-cpu, not checked
	# mca: cycles<=3 cpu=no-such-cpu
#  | finding 2-34: warning budget-unchecked: the budget of cycles is not checked on no-such-cpu: LLVM knows no x86_64 CPU of this name
	addl	%eax, %eax
	# LLVM-MCA-END nowhere
	# LLVM-MCA-BEGIN nothing
	# mca: cycles<=3
#  | finding 2-18: warning budget-unchecked: the budget of cycles is not checked on skylake: no region with instructions begins at its marker
	# LLVM-MCA-END nothing
	# LLVM-MCA-BEGIN call
#  ^ hint: ≥ 1.0 cyc · calls f
#  | finding 2-23: hint call: call: at least 1.0 cycles per iteration: it calls f, whose time is not in the cycles
#  |   line 29: call f: not simulated
#  | region call (marker) to line 31: 2 instructions, 100 iterations in 103 cycles, block rthroughput 1.00
#  |   calls: f
#  |   budget: ipc 2.000 of 100.000 on skylake, not checked
	# mca: ipc>=100
#  | finding 2-17: warning budget-unchecked: the budget of ipc is not checked on skylake: call calls f, whose time is not in the cycles
	call	f
	addl	%eax, %eax
	# LLVM-MCA-END call
	ret

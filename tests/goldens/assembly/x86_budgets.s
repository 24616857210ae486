# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# Budgets of marked regions: met, exceeded, on another CPU, mistaken, and without anything to check.
	.text
kernel:
	# LLVM-MCA-BEGIN met
	# mca: cycles<=4.1 ipc>=0.49
	mulps	%xmm0, %xmm1
	addps	%xmm1, %xmm2
	# LLVM-MCA-END met
	# LLVM-MCA-BEGIN exceeded
	# mca: cycles<=2.5 ipc>=0.4
	# mca: cycles<=3.05 cpu=znver4
	imulq	%rax, %rax
	# LLVM-MCA-END exceeded
	# LLVM-MCA-BEGIN mistakes
	# mca: cycles<=fast cycles>=2 cpu=znver4 iterations=3 ipc>=1
	addl	%eax, %eax
	# LLVM-MCA-END mistakes
	# mca: cycles<=3
	# LLVM-MCA-BEGIN nowhere
	# mca: cycles<=3 cpu=no-such-cpu
	addl	%eax, %eax
	# LLVM-MCA-END nowhere
	# LLVM-MCA-BEGIN nothing
	# mca: cycles<=3
	# LLVM-MCA-END nothing
	# LLVM-MCA-BEGIN call
	# mca: ipc>=100
	call	f
	addl	%eax, %eax
	# LLVM-MCA-END call
	ret

	jmp .L2
.L1:
	addl %eax, %ebx
# LLVM-MCA-BEGIN a
	.rept 2
	imull %ebx
	.endr
# LLVM-MCA-LATENCY 3
.L2:
	cmpl $3, %eax
	jne .L1
# LLVM-MCA-END a
# mca: cpu=skylake iterations=3

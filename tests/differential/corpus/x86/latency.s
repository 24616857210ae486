# mca: triple=x86_64-unknown-linux-gnu cpu=raptorlake
# The LATENCY instrument, inside and across regions.
# LLVM-MCA-BEGIN loads from memory
# LLVM-MCA-LATENCY 80
	movq	(%rdi), %rax
# LLVM-MCA-LATENCY 1
	addq	%rax, %rbx
	imulq	%rbx, %rcx
# LLVM-MCA-END loads from memory
# LLVM-MCA-BEGIN still in force
	mulq	%rsi
	vaddpd	%ymm0, %ymm1, %ymm0
# LLVM-MCA-END still in force

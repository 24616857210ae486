# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-LATENCY soon
	addl	%eax, %ebx
# LLVM-MCA-LATENCY
# LLVM-MCA-LATENCY -3
# LLVM-MCA-LATENCY 3 cycles

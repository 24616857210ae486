# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# A comment that merely speaks of LLVM-MCA-BEGIN and LLVM-MCA-END is no marker.
# LLVM-MCA-BEGIN real
	addl	%eax, %ebx	# behind this LLVM-MCA-END comes nothing
## LLVM-MCA-LATENCY 7
	subl	%ebx, %ecx
# LLVM-MCA-END real

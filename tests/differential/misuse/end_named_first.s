# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
	addl	%eax, %ebx
# LLVM-MCA-END nobody

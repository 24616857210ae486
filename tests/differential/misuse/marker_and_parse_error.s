# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-END nobody
	addl	%eax, %ebx
	addl	%nonsense, %ebx

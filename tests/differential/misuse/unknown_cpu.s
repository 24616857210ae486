# mca: triple=x86_64-unknown-linux-gnu cpu=pentium-9000
	addl	%eax, %ebx

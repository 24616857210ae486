# mca: triple=i386-unknown-linux-gnu cpu=i486
	addl	%eax, %ebx

# mca: triple=x86_64-unknown-linux-gnu cpu=tigerlake
# Markers in each form that a comment has, beside instructions and behind several on a line.
	movl	%eax, %ebx	# LLVM-MCA-BEGIN trailing
	addl	%ebx, %ecx; subl %ecx, %edx
	notl	%edx	# LLVM-MCA-END trailing
/* LLVM-MCA-BEGIN block */
	andl	%eax, %ebx
/* a comment in front */ orl %eax, %ecx
/* LLVM-MCA-END block */
#LLVM-MCA-BEGIN tight
	xorl	%eax, %edx
#LLVM-MCA-END tight
	incl	%esi
#    	LLVM-MCA-BEGIN   spaces  inside
	decl	%esi
#	LLVM-MCA-END spaces  inside

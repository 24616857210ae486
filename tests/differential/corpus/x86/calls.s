# mca: triple=x86_64-unknown-linux-gnu cpu=znver2
# Calls inside of regions: direct, through a pointer and through the PLT.
# LLVM-MCA-BEGIN direct
	movl	%ebx, %edi
	callq	work
	addl	%eax, %ebx
# LLVM-MCA-END direct
# LLVM-MCA-BEGIN pointers
	callq	*(%r12,%rbp,8)
	incq	%rbp
	callq	memcpy@PLT
	callq	*%rax
# LLVM-MCA-END pointers
# LLVM-MCA-BEGIN epilogue
	addq	$8, %rsp
	popq	%rbx
	retq
# LLVM-MCA-END epilogue

# mca: triple=x86_64-unknown-linux-gnu cpu=haswell
# The syntax changes in the middle: what is printed follows the one the text ends in.
# LLVM-MCA-BEGIN att
	addl	$1, %eax
	imull	%ebx, %ecx
	movl	8(%rsp,%rax,2), %edx
# LLVM-MCA-END att
	.intel_syntax noprefix
# LLVM-MCA-BEGIN intel
	add	eax, 1
	imul	ecx, ebx
	mov	edx, dword ptr [rsp + 2*rax + 8]
# LLVM-MCA-END intel

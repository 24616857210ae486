# mca: triple=x86_64-unknown-linux-gnu cpu=broadwell
# Regions in regions, three deep.
# LLVM-MCA-BEGIN outer
	movl	(%rdi), %eax
# LLVM-MCA-BEGIN middle
	imull	%eax, %eax
# LLVM-MCA-BEGIN inner
	addl	%eax, %ebx
	adcl	$0, %ecx
# LLVM-MCA-END inner
	shll	$2, %ebx
# LLVM-MCA-END middle
	movl	%ebx, (%rsi)
# LLVM-MCA-END outer

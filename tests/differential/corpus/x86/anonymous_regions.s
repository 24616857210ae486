# mca: triple=x86_64-unknown-linux-gnu cpu=ivybridge
# Regions without a name, one after the other, and one around a named one.
# LLVM-MCA-BEGIN
	addl	%eax, %eax
# LLVM-MCA-END
	nop
# LLVM-MCA-BEGIN
	imull	%ecx, %ecx
	imull	%ecx, %edx
# LLVM-MCA-END
# LLVM-MCA-BEGIN
	rolq	$5, %r8
# LLVM-MCA-BEGIN named
	bswapq	%r8
# LLVM-MCA-END named
	xorq	%r8, %r9
# LLVM-MCA-END
# LLVM-MCA-BEGIN empty
# LLVM-MCA-END empty

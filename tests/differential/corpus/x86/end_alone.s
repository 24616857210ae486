# mca: triple=x86_64-unknown-linux-gnu cpu=znver1
# An end marker alone closes what comes before it.
	vpmulld	%xmm1, %xmm0, %xmm0
	vpaddd	%xmm2, %xmm0, %xmm0
# LLVM-MCA-END
	vpaddq	%xmm2, %xmm3, %xmm3
# LLVM-MCA-BEGIN open
	vpshufb	%xmm4, %xmm3, %xmm3
	vpblendw	$15, %xmm3, %xmm0, %xmm5

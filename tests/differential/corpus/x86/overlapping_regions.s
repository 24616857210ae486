# mca: triple=x86_64-unknown-linux-gnu cpu=sandybridge
# Regions that overlap without one holding the other, and a name used twice, one after the other.
# LLVM-MCA-BEGIN first
	mulps	%xmm1, %xmm0
	addps	%xmm2, %xmm0
# LLVM-MCA-BEGIN second
	shufps	$27, %xmm0, %xmm0
# LLVM-MCA-END first
	maxps	%xmm3, %xmm0
	rcpps	%xmm0, %xmm4
# LLVM-MCA-END second
# LLVM-MCA-BEGIN first
	andps	%xmm5, %xmm4
	vinsertf128	$1, %xmm4, %ymm4, %ymm4
# LLVM-MCA-END first

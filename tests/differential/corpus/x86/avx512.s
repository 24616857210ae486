# mca: triple=x86_64-unknown-linux-gnu cpu=sapphirerapids
# Masks, broadcasts, gathers, compressing stores.
# LLVM-MCA-BEGIN masked
	vmovups	(%rsi), %zmm0
	vcmpltps	%zmm1, %zmm0, %k1
	vaddps	%zmm2, %zmm0, %zmm0 {%k1}
	vmulps	(%rdx){1to16}, %zmm0, %zmm3 {%k1} {z}
	vcompressps	%zmm3, (%rdi) {%k1}
	kortestw	%k1, %k1
# LLVM-MCA-END masked
# LLVM-MCA-BEGIN gather
	kxnorw	%k2, %k2, %k2
	vgatherdps	(%rsi,%zmm4,4), %zmm5 {%k2}
	vpternlogd	$202, %zmm5, %zmm4, %zmm6
	vpdpbusd	%zmm6, %zmm5, %zmm7
	vpermi2b	%zmm1, %zmm2, %zmm3
# LLVM-MCA-END gather

# mca: triple=x86_64-unknown-linux-gnu cpu=sapphirerapids
# engine: iterations=15 bottlenecks=1 timeline=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
# Masks, a gather and a division of 512 bits.
	vpgatherdd %ymm0, (%rax,%ymm1,4), %ymm2
	vaddps %zmm0, %zmm1, %zmm2 {%k1} {z}
	vdivps %zmm0, %zmm1, %zmm2
	kmovw %eax, %k1
	vpternlogd $255, %zmm0, %zmm0, %zmm0

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=1 bottlenecks=1
	vpackusdw	(%rcx,%r23,2){1to16}, %zmm0, %zmm1
	vpconflictd	%ymm2, %ymm12 {%k2}
	kmovw	%k1, %esi
	vcvtps2phx	(%r18,%rsi,8){1to16}, %ymm2

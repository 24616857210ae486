# mca: triple=x86_64-unknown-linux-gnu cpu=lunarlake
# engine: iterations=50 bottlenecks=1 timeline=1
# Resource groups that share units.
	vfmadd231ps %ymm0, %ymm1, %ymm2
	vaddps %ymm2, %ymm3, %ymm3
	vpaddd %ymm4, %ymm5, %ymm5
	vpermd %ymm5, %ymm4, %ymm6
	shlq $3, %rcx
	leaq (%rcx,%rdx), %rax

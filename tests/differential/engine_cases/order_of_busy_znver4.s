# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# engine: iterations=4 bottlenecks=1
# What is found busy in the middle of a cycle is not busy at its end: it depends on the order in which the ready are
# looked at, and the run begins anew with LLVM's lists.
	vrcp14sd	%xmm1, %xmm6, %xmm2
	vcvtph2pd	{sae}, %xmm1, %zmm28
	vpconflictq	%zmm1, %zmm2 {%k1}

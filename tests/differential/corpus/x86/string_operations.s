# mca: triple=x86_64-unknown-linux-gnu cpu=bdver2
# Microcoded and string instructions.
# LLVM-MCA-BEGIN strings
	rep movsb
	rep stosq
	lodsb
	scasl
	cld
# LLVM-MCA-END strings
# LLVM-MCA-BEGIN odd ones
	cpuid
	rdtsc
	bsfq	%rax, %rcx
	shldl	$3, %eax, %ebx
	enter	$16, $0
	leave
# LLVM-MCA-END odd ones
# LLVM-MCA-BEGIN fma4
	vfmaddps	%xmm0, %xmm1, %xmm2, %xmm3
	vphaddbw	%xmm3, %xmm4
# LLVM-MCA-END fma4

# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# Numbers as Microsoft's assembler writes them.
	.intel_syntax noprefix
# LLVM-MCA-BEGIN numbers
	mov	eax, 0ffh
	add	ecx, 101b
	vmovss	xmm1, dword ptr [rdi + 4*rcx + 10h]
# LLVM-MCA-END numbers

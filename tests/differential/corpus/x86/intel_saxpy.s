# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# Intel syntax with registers without a prefix; hexadecimal and scaled operands.
	.intel_syntax noprefix
	.text
saxpy:
# LLVM-MCA-BEGIN saxpy
.Lloop:
	vmovups	ymm1, ymmword ptr [rdi + 4*rcx]
	vfmadd213ps	ymm1, ymm0, ymmword ptr [rsi + 4*rcx]
	vmovups	ymmword ptr [rsi + 4*rcx], ymm1
	add	rcx, 8
	cmp	rcx, rdx
	jne	.Lloop
# LLVM-MCA-END saxpy
# LLVM-MCA-BEGIN tail
	vmovss	xmm1, dword ptr [rdi + 4*rcx + 0x10]
	vfmadd213ss	xmm1, xmm0, dword ptr [rsi + 4*rcx + 10]
	mov	qword ptr [rsp - 8], rax
	lea	rax, [rax + 2*rax - 3]
	imul	eax, eax, 77
# LLVM-MCA-END tail
	ret

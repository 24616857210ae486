# mca: triple=x86_64-unknown-linux-gnu cpu=znver4
# Regions in code with data, alignment, several sections and debug directives around.
	.file	"sections.c"
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4
.Lones:
	.long	0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000
	.asciz	"LLVM-MCA-BEGIN in a string is nothing"
	.text
	.p2align	4, 0x90
	.type	scale,@function
scale:
	.cfi_startproc
# LLVM-MCA-BEGIN scale
	movaps	.Lones(%rip), %xmm1
	movups	(%rdi), %xmm0
	.cfi_def_cfa_offset 16
	mulps	%xmm1, %xmm0
	.section	.text.unlikely,"ax",@progbits
	ud2
	.text
	movups	%xmm0, (%rdi)
# LLVM-MCA-END scale
	retq
	.cfi_endproc
	.size	scale, .-scale
	.ident	"written by hand"

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# Markers that a macro brings along, as a header of macros would.
	.macro	begin
# LLVM-MCA-BEGIN kernel
	.endm
	.macro	end
# LLVM-MCA-END kernel
	.endm
	nop
	begin
	imull	%eax, %ebx
	addl	%ebx, %ecx
	end
	nop

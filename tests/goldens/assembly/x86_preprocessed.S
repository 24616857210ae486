# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
/* What the assembler reads is what the preprocessor leaves: hints and findings stand on the lines that the user wrote.
 */
#include "functions.h"

FUNCTION(product):
.Lproduct:
	STEP(%rcx)
#if defined(__aarch64__)
	not	an, instruction
#else
	subq	$1, %rsi
#endif
	jne	.Lproduct
	ret

FUNCTION(sum):
.Lsum:
#include "load.h"
	addq	$8,	%rdi /* two lines
	of a comment */
	decq	%rsi
	jne	.Lsum
	ret

	// LLVM-MCA-BEGIN named
	vpaddd	%ymm0, %ymm1, %ymm1
	vpmulld	%ymm1, %ymm2, %ymm2
	// LLVM-MCA-END
#define WRONG addq %nothing
	addl	%eax, %nowhere
	WRONG, %rax

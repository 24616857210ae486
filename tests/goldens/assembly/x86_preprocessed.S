# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | finding 1-51: information no-compile-command: no compile command names this file; preprocessed with the fallback: -x assembler-with-cpp
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
/* What the assembler reads is what the preprocessor leaves: hints and findings stand on the lines that the user wrote.
 */
#include "functions.h"

FUNCTION(product):
.Lproduct:
#  ^ hint: IPC 1.00 · 4.0 cyc · dep
#  | finding 1-11: information register-dependency: loop in product: limited by a loop-carried chain through rcx: 4.0 of 4.0 cycles per iteration
#  |   line 8: imulq %rdx, %rcx: rcx after 3 cycles
#  |   line 8: addq $1, %rcx: rcx after 1 cycle, for the next iteration
#  | region loop in product (loop) to line 14: 4 instructions, 100 iterations in 403 cycles, block rthroughput 1.00
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
#  ^ hint: IPC 5.00 · 1.0 cyc · p0156
#  | finding 1-7: information resource-bottleneck: loop in sum: limited by SKLPort0, SKLPort1, SKLPort5 and 1 more: 2 addq and 2 others keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 19: addq %rax, %rbx: SKLPort1 for 0.97 cycles
#  |   line 20: addq $8, %rdi: SKLPort6 for 0.97 cycles
#  |   line 22: decq %rsi: SKLPort5 for 0.97 cycles
#  |   line 23: jne .Lsum: SKLPort0 for 0.99 cycles
#  | region loop in sum (loop) to line 23: 5 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
#include "load.h"
	addq	$8,	%rdi /* two lines
	of a comment */
	decq	%rsi
	jne	.Lsum
	ret

	// LLVM-MCA-BEGIN named
#  ^ hint: IPC 0.20 · 10.0 cyc · dep
#  | finding 2-25: information register-dependency: named: limited by a loop-carried chain through ymm2: 10.0 of 10.0 cycles per iteration
#  |   line 28: vpmulld %ymm1, %ymm2, %ymm2: ymm2 after 10 cycles, for the next iteration
#  | region named (marker) to line 29: 2 instructions, 100 iterations in 1004 cycles, block rthroughput 1.00
	vpaddd	%ymm0, %ymm1, %ymm1
	vpmulld	%ymm1, %ymm2, %ymm2
	// LLVM-MCA-END
#define WRONG addq %nothing
	addl	%eax, %nowhere
#  | finding 13-21: error parse-error: invalid register name
	WRONG, %rax
#  | finding 2-13: error parse-error: invalid register name

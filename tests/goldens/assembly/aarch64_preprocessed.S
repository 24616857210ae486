// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
//  | finding 1-57: information no-compile-command: no compile command names this file; preprocessed with the fallback: -x assembler-with-cpp
//  | target: aarch64-unknown-linux-gnu neoverse-n1 (set in the buffer); neoverse-n1: its own model
// The target of the settings is the preprocessor's, too.
#include "functions.h"

FUNCTION(product):
.Lproduct:
//  ^ hint: IPC 0.80 · 5.0 cyc · dep
//  | finding 1-11: information register-dependency: loop in product: limited by a loop-carried chain through x0: 5.0 of 5.0 cycles per iteration
//  |   line 7: mul x0, x0, x2: x0 after 4 cycles
//  |   line 7: add x0, x0, #1: x0 after 1 cycle, for the next iteration
//  | region loop in product (loop) to line 9: 4 instructions, 100 iterations in 503 cycles, block rthroughput 3.00
	STEP(x0)
	subs	x1, x1, #1
	b.ne	.Lproduct
	ret

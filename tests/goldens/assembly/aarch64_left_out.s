// mca: triple=aarch64-linux-gnu cpu=neoverse-v2
//  | target: aarch64-linux-gnu neoverse-v2 (set in the buffer); neoverse-v2: its own model
// What the model has no data for is left out: a lower bound, whose budget is not checked.
	.arch	armv9-a+mops
	.text
// LLVM-MCA-BEGIN copy
//  ^ hint: ≥ 1.0 cyc · lacks 3 instructions
//  | region copy (marker) to line 14: 3 instructions, 100 iterations in 104 cycles, block rthroughput 0.50
//  |   caveat: 3 of its instructions (`cpyfp`, `cpyfm` and `cpyfe`) have no scheduling data on neoverse-v2 and are missing
//  |   budget: cycles 1.000 of 9.000 on neoverse-v2, not checked
// mca: cycles<=9
//  | finding 1-18: warning budget-unchecked: the budget of cycles is not checked on neoverse-v2: copy takes 1.0 or more: it has 3 instructions without scheduling data
.Lcopy:
	mov	x10, x5
	cpyfp	[x10]!, [x11]!, x12!
//  | finding 2-28: warning no-scheduling-data: no scheduling data for `cpyfp` on neoverse-v2: it is left out, and the cycles are a lower bound (unable to resolve scheduling class for write variant)
	cpyfm	[x10]!, [x11]!, x12!
//  | finding 2-28: warning no-scheduling-data: no scheduling data for `cpyfm` on neoverse-v2: it is left out, and the cycles are a lower bound (unable to resolve scheduling class for write variant)
	cpyfe	[x10]!, [x11]!, x12!
//  | finding 2-28: warning no-scheduling-data: no scheduling data for `cpyfe` on neoverse-v2: it is left out, and the cycles are a lower bound (unable to resolve scheduling class for write variant)
	subs	x7, x7, #1
	b.ne	.Lcopy
// LLVM-MCA-END copy
	ret

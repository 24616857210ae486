// mca: triple=aarch64-linux-gnu cpu=neoverse-v2
// What the model has no data for is left out: a lower bound, whose budget is not checked.
	.arch	armv9-a+mops
	.text
// LLVM-MCA-BEGIN copy
// mca: cycles<=9
.Lcopy:
	mov	x10, x5
	cpyfp	[x10]!, [x11]!, x12!
	cpyfm	[x10]!, [x11]!, x12!
	cpyfe	[x10]!, [x11]!, x12!
	subs	x7, x7, #1
	b.ne	.Lcopy
// LLVM-MCA-END copy
	ret

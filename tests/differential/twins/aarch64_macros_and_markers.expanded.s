// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-v1
// LLVM-MCA-BEGIN transform
	fadd	v16.4s, v0.4s, v1.4s
	fsub	v1.4s, v0.4s, v1.4s
	fadd	v17.4s, v2.4s, v3.4s
	fsub	v3.4s, v2.4s, v3.4s
	ldr	q4, [x0, #64]
	ldr	q5, [x0, #80]
	ldr	q6, [x0, #96]
	ldr	q7, [x0, #112]
// LLVM-MCA-END transform
	fmul	v20.4s, v20.4s, v21.4s
	fmul	v20.4s, v20.4s, v21.4s

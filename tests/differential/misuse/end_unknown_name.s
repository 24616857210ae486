// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
// LLVM-MCA-BEGIN one
	add	x0, x1, x2
// LLVM-MCA-END two
// LLVM-MCA-END one

// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a55
// A budget of the buffer's CPU and one of another, in an assembly whose comments are C's.
	// LLVM-MCA-BEGIN division
	/* mca: cycles<=8 */
	// mca: cycles<=6 cpu=neoverse-v2
	udiv	w6, w4, w5
	msub	w0, w6, w5, w4
	// LLVM-MCA-END division

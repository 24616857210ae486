// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
// The report of the first region is out before the second one fails.
// LLVM-MCA-BEGIN fine
	add	x0, x1, x2
// LLVM-MCA-END fine
// LLVM-MCA-BEGIN not fine
	ldadd	x0, x1, [x2]
// LLVM-MCA-END not fine

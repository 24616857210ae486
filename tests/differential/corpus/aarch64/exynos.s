// mca: triple=aarch64-unknown-linux-gnu cpu=exynos-m5
// Nested and overlapping regions around shuffles and conversions.
// LLVM-MCA-BEGIN all
	scvtf	v0.4s, v0.4s
// LLVM-MCA-BEGIN left
	zip1	v1.4s, v0.4s, v2.4s
	zip2	v3.4s, v0.4s, v2.4s
// LLVM-MCA-BEGIN right
	ext	v4.16b, v1.16b, v3.16b, #4
// LLVM-MCA-END left
	rev64	v5.4s, v4.4s
	fcvtzs	v6.4s, v5.4s
// LLVM-MCA-END right
	dup	v7.4s, w0
// LLVM-MCA-END all

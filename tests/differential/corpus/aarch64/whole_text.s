// mca: triple=aarch64-unknown-linux-gnu cpu=tsv110
// No markers and no loop.
	ldr	x1, [x0]
	eor	x2, x1, x1, lsr #33
	mul	x2, x2, x3
	eor	x2, x2, x2, lsr #29
	crc32x	w4, w4, x2
	aese	v0.16b, v1.16b
	aesmc	v0.16b, v0.16b
	pmull	v2.1q, v0.1d, v1.1d
	str	x2, [x0]

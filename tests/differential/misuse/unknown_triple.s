# mca: triple=pdp11-unknown-linux-gnu cpu=generic
	mov	r0, r1

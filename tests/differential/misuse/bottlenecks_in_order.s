// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a53
	mul	x0, x1, x2
	madd	x0, x1, x2, x0

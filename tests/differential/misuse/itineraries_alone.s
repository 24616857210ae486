# mca: triple=powerpc-unknown-linux-gnu cpu=440
	add	3, 4, 5

# mca: triple=mipsel-unknown-linux-gnu cpu=p5600
	xor	$2, $3, $4
	addiu	$4, $4, 4

# mca: triple=riscv64-unknown-linux-gnu cpu=rocket-rv64 features=+v
# An instruction that the model says nothing about.
	add	a0, a1, a2
	vadd.vv	v0, v1, v2
	sub	a0, a1, a2

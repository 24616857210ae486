// mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
/* Comments of C after operands, of which LLVM's parser takes none, and the features of the CPU that the buffer names. */
	.globl	copy
copy:
	vsetvli	t5, t4, e32, m4, ta, ma
	vlse64.v	v16, (a1), t1 /* a (b[2]) */
	sub	t4, t4, t5 // three
	vnsrl.wx	v24, v16, zero /* over
	two lines */
	add	a1, a1, t6 # four
	bnez	t4, copy
	ret

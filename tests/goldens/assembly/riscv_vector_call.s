# mca: triple=riscv64-unknown-linux-gnu cpu=sifive-x280
#  | target: riscv64-unknown-linux-gnu sifive-x280 (set in the buffer); sifive-x280: its own model
# The vector type after a call is the one with which the called function returns, or it is not known.
	.option	arch, +v
	.type	row,@function
row:
	vsetvli	zero, a4, e8, mf2, ta, ma
	vle8.v	v24, (a2)
	add	a2, a2, a3
	ret
	.type	sum,@function
sum:
	vsetvli	zero, a4, e16, m4, ta, ma
.Lsum:
#  ^ hint: ≥ 8.0 cyc · calls row
#  | finding 1-7: hint call: loop in sum: at least 8.0 cycles per iteration: it calls row, whose time is not in the cycles
#  |   line 14: jal row: not simulated
#  | region loop in sum (loop) to line 18: 5 instructions, 100 iterations in 802 cycles, block rthroughput 4.00
#  |   calls: row
	jal	row
	vadd.vv	v8, v8, v24
	vadd.vv	v8, v8, v24
	addi	t6, t6, -1
	bnez	t6, .Lsum
	ret
	.type	other,@function
other:
	vsetvli	zero, a4, e16, m4, ta, ma
.Lother:
#  ^ hint: ≥ ≈ 9.0 cyc · calls elsewhere
#  | finding 1-9: hint call: loop in other: at least 9.0 cycles per iteration: it calls elsewhere, whose time is not in the cycles
#  |   line 24: call elsewhere: not simulated
#  | finding 1-9: information assumed-vector-type: loop in other: a caller or a called function sets the vector type of some vector instructions, which cannot be known here: the one above them in the text is assumed
#  | region loop in other (loop) to line 27: 4 instructions, 100 iterations in 898 cycles, block rthroughput 9.00
#  |   caveat: a caller or a called function sets the vector type of some vector instructions, which cannot be known here: the one above them in the text is assumed
#  |   calls: elsewhere
	call	elsewhere
	vadd.vv	v8, v8, v24
	addi	t6, t6, -1
	bnez	t6, .Lother
	ret

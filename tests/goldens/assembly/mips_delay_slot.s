# mca: triple=mipsel-unknown-linux-gnu cpu=p5600
#  | target: mipsel-unknown-linux-gnu p5600 (set in the buffer); p5600: its own model
# The instruction behind a branch belongs to the loop.
	.set	noreorder
	.type	sum,@function
sum:
	move	$2, $zero
loop:
#  ^ hint: 2.0 cyc · P5600ALQ and 1 more
#  | finding 1-6: information resource-bottleneck: loop in sum: limited by P5600ALQ and P5600IssueALU: 1 subu and 1 other keep them busy in 2.0 of 2.0 cycles per iteration
#  |   line 9: subu $5, $5, $6: P5600ALQ for 1.00 and P5600IssueALU for 1.00 cycles
#  |   line 11: xor $2, $2, $3: P5600ALQ for 1.00 and P5600IssueALU for 1.00 cycles
#  | region loop in sum (loop) to line 11: 4 instructions, 100 iterations in 206 cycles, block rthroughput 2.00
	lw	$3, 0($4)
	subu	$5, $5, $6
	bnez	$5, loop
	xor	$2, $2, $3
	jr	$ra
	nop

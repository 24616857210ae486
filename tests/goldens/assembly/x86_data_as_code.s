# mca: triple=x86_64-linux-gnu cpu=znver3
#  | target: x86_64-linux-gnu znver3 (set in the buffer); znver3: its own model
# Instructions as data count where control flow reaches them. Tables do not, and bytes that are no instruction make a
# lower bound.
	.text
	.type	mul, @function
mul:
.Lmul:
#  ^ hint: IPC 2.63 · 1.9 cyc · ALU1,ALU3
#  | finding 1-7: information resource-bottleneck: loop in mul: limited by Zn3ALU1 and Zn3ALU3: 1 adcxq and 3 others keep them busy in 1.9 of 1.9 cycles per iteration
#  |   line 9: adcxq %r8, %r9: Zn3ALU3 for 1.20 and Zn3ALU1 for 0.80 cycles
#  |   line 8: mulxq (%rsi), %r10, %r8: Zn3ALU1 for 1.00 cycles
#  |   line 11: addq $8, %rsi: Zn3ALU3 for 0.32 cycles
#  |   line 12: decq %rcx: Zn3ALU3 for 0.20 and Zn3ALU1 for 0.10 cycles
#  | region loop in mul (loop) to line 13: 5 instructions, 100 iterations in 192 cycles, block rthroughput 1.50
	.byte	0xc4, 0x62, 0xab, 0xf6, 0x06	# mulx (%rsi), %r10, %r8
	.byte	0x66, 0x4d, 0x0f, 0x38
	.byte	0xf6, 0xc8			# adcx %r8, %r9
	addq	$8, %rsi
	decq	%rcx
	jne	.Lmul
	.byte	0xf3
	ret
table:
	.long	1, 2, 3
	.type	old, @function
old:
.Lold:
#  ^ hint: ≥ 1.0 cyc · lacks 1 line
#  | region loop in old (loop) to line 25: 4 instructions, 100 iterations in 107 cycles, block rthroughput 0.75
#  |   caveat: a line in it could not be read and is missing
	addl	(%rdi), %eax
	.byte	0x06				# push %es, of 32-bit code
#  | finding 2-42: warning unreadable-data: control flow runs into this data, which cannot be read as instructions: it is left out, and the cycles are a lower bound
	addq	$4, %rdi
	decq	%rcx
	jne	.Lold
	ret

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# Each mistake with a marker, and one region that stands.
	# LLVM-MCA-BEGIN good
#  ^ hint: IPC 0.67 · 3.0 cyc · dep
#  | finding 2-23: information register-dependency: good: limited by a loop-carried chain through ecx: 3.0 of 3.0 cycles per iteration
#  |   line 8: imull %ebx, %ecx: ecx after 3 cycles, for the next iteration
#  | region good (marker) to line 9: 2 instructions, 100 iterations in 304 cycles, block rthroughput 1.00
	addl	%eax, %ebx
	# LLVM-MCA-BEGIN good
#  | finding 3-23: error marker-error: overlapping regions cannot have the same name
#  |   line 3: region good was previously defined here
	# LLVM-MCA-END better
#  | finding 3-23: error marker-error: found an invalid region end directive
#  |   line 6: unable to find an active region named better
	# LLVM-MCA-LATENCIES 5
#  | finding 3-24: error marker-error: Unknown instrumentation type in LLVM-MCA comment: LATENCIES
	imull	%ebx, %ecx
	# LLVM-MCA-END good
	# LLVM-MCA-END
#  | finding 3-16: error marker-error: found an invalid region end directive
#  |   line 10: unable to find an active anonymous region
	nop

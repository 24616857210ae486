# mca: triple=x86_64-unknown-linux-gnu cpu=skylark
#  | finding 1-51: error unknown-cpu: LLVM knows no CPU 'skylark' for x86_64-unknown-linux-gnu (set in the buffer)
#  | target: x86_64-unknown-linux-gnu skylark (set in the buffer); none: LLVM does not know the CPU
	addl	%eax, %ebx

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake iterations=many
#  | finding 52-67: warning buffer-settings: iterations must be a number from 1 to 1000000
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# mca: cpus=2 fast
#  | finding 8-14: warning buffer-settings: unknown key 'cpus': cpu, triple, features, iterations and syntax are known
#  | finding 15-19: warning buffer-settings: 'fast' is not of the form key=value
	addl	%eax, %ebx
#  ^ hint: IPC 1.00 · 1.0 cyc · dep
#  | finding 2-17: information register-dependency: whole text: limited by a loop-carried chain through ebx: 1.0 of 1.0 cycles per iteration
#  |   line 3: addl %eax, %ebx: ebx after 1 cycle, for the next iteration
#  | region whole text (snippet) to line 3: 1 instructions, 10 iterations in 13 cycles, block rthroughput 0.25
# mca: iterations=10

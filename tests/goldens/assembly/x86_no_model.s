# mca: triple=i386-unknown-linux-gnu cpu=pentium-mmx
#  | finding 1-53: warning no-scheduling-model: LLVM has no scheduling model for pentium-mmx (set in the buffer): choose another CPU with a comment `# mca: cpu=NAME` or the setting mca.cpu
#  | target: i386-unknown-linux-gnu pentium-mmx (set in the buffer); pentium-mmx: LLVM has no scheduling model for it
	addl	%eax, %ebx

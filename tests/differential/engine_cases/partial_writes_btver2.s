# mca: triple=x86_64-unknown-linux-gnu cpu=btver2
# engine: iterations=30 timeline=1 bottlenecks=1
# A partial write is merged with what it leaves, which makes it wait.
	movb %al, %cl
	addb %cl, %dh
	movw %ax, %cx
	imull %ecx, %edx
	movb %ah, %bl
	movzbl %bl, %eax

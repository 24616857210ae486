# mca: triple=x86_64-unknown-linux-gnu cpu=sandybridge
# engine: iterations=30 timeline=1 bottlenecks=1
# A partial write is merged with what it leaves, which makes it wait.
	movb $1, %al
	incb %al
	movw $2, %cx
	addw %ax, %cx
	sete %al
	imull %eax, %ecx

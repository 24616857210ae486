# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model

a.out:     file format elf64-x86-64


Disassembly of section .text:

0000000000001170 <sum>:
    1170:	48 85 f6             	test   %rsi,%rsi
    1173:	7e 1b                	jle    1190 <sum+0x20>
    1175:	48 8d 14 b7          	lea    (%rdi,%rsi,4),%rdx
    1179:	31 c0                	xor    %eax,%eax
    117b:	0f 1f 44 00 00       	nopl   0x0(%rax,%rax,1)
    1180:	03 07                	add    (%rdi),%eax
#  ^ hint: IPC 4.00 · 1.0 cyc · p0156
#  | finding 5-51: information resource-bottleneck: loop in sum: limited by SKLPort6, SKLPort0, SKLPort5 and 1 more: 4 instructions keep them busy in 1.0 of 1.0 cycles per iteration
#  |   line 14: addl (%rdi), %eax: SKLPort1 for 0.98 cycles
#  |   line 15: addq $4, %rdi: SKLPort6 for 0.99 cycles
#  |   line 16: cmpq %rdx, %rdi: SKLPort5 for 0.99 cycles
#  |   line 17: jne .L1: SKLPort0 for 0.99 cycles
#  | region loop in sum (loop) to line 17: 4 instructions, 100 iterations in 108 cycles, block rthroughput 0.83
    1182:	48 83 c7 04          	add    $0x4,%rdi
    1186:	48 39 d7             	cmp    %rdx,%rdi
    1189:	75 f5                	jne    1180 <sum+0x10>
    118b:	c3                   	ret
    118c:	0f 1f 40 00          	nopl   0x0(%rax)
    1190:	31 c0                	xor    %eax,%eax
    1192:	c3                   	ret

# Partial writes, exchanges, moves and idioms that renaming removes, flags, barriers, x87, strings, locks.
xchgl %eax, %ebx
xchgq %rcx, %rdx
xchgb %al, %ah
xaddl %eax, (%rdi)
lock addl $1, (%rdi)
lock cmpxchgq %rcx, (%rdi)
movb %al, %cl
movb %ah, %bl
movw %ax, %cx
movb $1, %al
movw $2, %cx
addb %cl, %dh
incb %al
movzbl %al, %eax
movzbl %ah, %ecx
movsbq %cl, %rdx
movzwl %cx, %eax
xorl %eax, %eax
xorq %rcx, %rcx
xorps %xmm0, %xmm0
pxor %xmm1, %xmm1
vpxor %xmm0, %xmm0, %xmm0
vxorps %ymm1, %ymm1, %ymm1
vpxord %zmm2, %zmm2, %zmm2
subl %ecx, %ecx
sbbl %eax, %eax
sbbq %rdx, %rdx
cmpl %eax, %eax
pcmpeqd %xmm3, %xmm3
pcmpgtb %xmm2, %xmm2
vpcmpeqd %ymm0, %ymm0, %ymm0
vpcmpgtq %xmm1, %xmm1, %xmm1
vandnps %xmm2, %xmm2, %xmm2
vpternlogd $255, %zmm0, %zmm0, %zmm0
movl %eax, %ebx
movq %rbx, %rcx
movq %rcx, %rax
movq %rax, %rax
movl %ecx, %ecx
movaps %xmm0, %xmm1
movdqa %xmm1, %xmm2
movaps %xmm1, %xmm0
vmovaps %ymm0, %ymm1
vmovdqa64 %zmm1, %zmm2
vmovss %xmm0, %xmm1, %xmm2
movsd %xmm0, %xmm1
movss (%rdi), %xmm0
movlps (%rdi), %xmm1
movups (%rdi), %xmm3
movups %xmm3, 16(%rsi)
vmovups %ymm0, (%rsi)
movq %xmm0, %xmm1
movd %eax, %xmm0
movd %xmm0, %ecx
pinsrw $1, %eax, %xmm0
cpuid
rdtsc
mfence
lfence
sfence
pause
fld1
fldz
flds (%rdi)
fstps (%rdi)
fadd %st(1), %st
fmul %st, %st(2)
fxch %st(1)
fxch %st(2)
fdivp %st, %st(1)
fsqrt
fstpl 8(%rsi)
emms
divl %ecx
idivq %rbx
imulq %rcx, %rdx
imull $7, (%rdi), %eax
mulq %rcx
mulxq %rax, %rcx, %rdx
popcntl %ecx, %edx
lzcntq %rax, %rcx
bsfl %eax, %ecx
pdepl %eax, %ecx, %edx
crc32b %al, %ecx
cmovel %eax, %ecx
cmovaq %rdx, %rax
cmovbel (%rdi), %ecx
sete %al
setb (%rdi)
seta %cl
shll %cl, %eax
shlq $3, %rcx
rolw $3, %ax
rcll $1, %eax
shldl $4, %eax, %ecx
sarxl %eax, %ecx, %edx
pushq %rax
popq %rbx
pushfq
popfq
leave
leaq (%rax,%rbx,4), %rcx
leaq 8(%rax,%rbx), %rax
leal (%rcx,%rcx), %ecx
addl %eax, (%rdi)
addl (%rdi), %eax
addq (%rsi,%rcx,8), %rdx
orb $1, (%rdi)
movb $0, 7(%rsi)
movnti %eax, (%rdi)
prefetcht0 (%rdi)
clflush (%rdi)
adcl %eax, %ebx
adcq %rcx, %rdx
adcxq %rax, %rcx
btl %eax, %ecx
btsq %rax, (%rdi)
cmc
stc
clc
cqto
cltd
sahf
lahf
sqrtsd %xmm0, %xmm1
sqrtps %xmm2, %xmm2
cvtsi2sdl %eax, %xmm0
cvttsd2si %xmm0, %eax
divps %xmm1, %xmm0
divsd %xmm2, %xmm3
mulps %xmm1, %xmm0
addps %xmm0, %xmm0
haddps %xmm1, %xmm0
dpps $255, %xmm1, %xmm0
pmaddwd %xmm2, %xmm3
pmulld %xmm0, %xmm1
pshufb %xmm1, %xmm0
pblendvb %xmm0, %xmm1, %xmm2
ptest %xmm0, %xmm1
pmovmskb %xmm0, %eax
comisd %xmm0, %xmm1
vfmadd231ps %ymm0, %ymm1, %ymm2
vfmadd213sd %xmm0, %xmm1, %xmm2
vdivps %zmm0, %zmm1, %zmm2
vpgatherdd %ymm0, (%rax,%ymm1,4), %ymm2
vpscatterdd %zmm0, (%rax,%zmm1,4) {%k1}
vaddps %zmm0, %zmm1, %zmm2 {%k1} {z}
kmovw %eax, %k1
kortestw %k1, %k1
vzeroupper
vinsertf128 $1, %xmm0, %ymm1, %ymm2
vextractf128 $1, %ymm0, %xmm1
aesenc %xmm0, %xmm1
pclmulqdq $0, %xmm0, %xmm1
rep movsb
rep stosq
repne scasb
lodsb
stosl
call f
jne f
jmp f
loop f
ret
nop
nopw (%rax,%rax)
endbr64

# The accumulator, conditional moves, unaligned loads, delay slots, MSA.
addu $2, $2, $3
addiu $3, $3, 8
subu $4, $4, $4
move $2, $3
li $4, 0
lui $5, 16
mul $2, $3, $4
mult $2, $3
multu $3, $4
madd $2, $3
msub $3, $4
div $zero, $2, $3
divu $zero, $3, $4
mflo $2
mfhi $3
mtlo $4
sll $2, $3, 4
srav $3, $2, $4
rotr $2, $2, 7
slt $2, $3, $4
movz $2, $3, $4
movn $3, $2, $4
clz $2, $3
ext $2, $3, 4, 8
ins $2, $3, 8, 8
seb $2, $3
wsbh $3, $2
lw $2, 0($3)
lw $2, 0($2)
lwl $4, 3($3)
lbu $3, 1($2)
sw $2, 4($3)
sb $4, 0($3)
ll $2, 0($3)
sc $2, 0($3)
sync
lwc1 $f0, 0($3)
ldc1 $f2, 8($3)
sdc1 $f2, 0($4)
add.d $f0, $f0, $f2
mul.s $f4, $f2, $f0
madd.d $f0, $f0, $f2, $f4
div.d $f2, $f0, $f4
sqrt.d $f0, $f2
mov.d $f2, $f0
c.lt.d $f0, $f2
movt $2, $3, $fcc0
cvt.d.w $f0, $f4
trunc.w.d $f4, $f0
mtc1 $2, $f0
mfc1 $3, $f2
ld.w $w0, 0($2)
st.w $w0, 16($2)
addv.w $w0, $w0, $w1
fmadd.w $w0, $w1, $w2
fdiv.d $w1, $w0, $w2
xor.v $w0, $w0, $w0
move.v $w1, $w0
beqz $2, f
bne $2, $3, f
jal f
jr $31
b f
nop

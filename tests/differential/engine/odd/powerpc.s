# Condition registers, updates of addresses, link and count register, VSX, matrix accumulators.
add 3, 3, 4
addi 3, 3, 8
addic. 4, 4, -1
adde 3, 4, 5
addze 3, 4
subf 5, 3, 4
mullw 3, 4, 5
mulld 4, 3, 5
mulhdu 5, 3, 4
divd 3, 4, 5
divw 4, 3, 5
modsd 3, 4, 5
neg 3, 3
mr 3, 4
mr 4, 3
li 3, 0
xor 3, 3, 3
or 4, 4, 4
and. 3, 4, 5
rlwinm 3, 4, 3, 0, 28
rldicl 4, 3, 8, 16
rlwimi 3, 4, 8, 0, 15
sld 3, 4, 5
srawi 3, 4, 2
cntlzd 3, 4
popcntd 4, 3
extsw 3, 3
cmpw 3, 4
cmpdi 1, 3, 5
isel 3, 4, 5, 2
setb 3, 0
crand 1, 2, 3
crxor 6, 6, 6
mfcr 3
mtcrf 128, 3
mtctr 3
mfctr 4
mflr 0
mtlr 0
lwz 3, 0(4)
lwzu 3, 4(4)
lwzx 3, 4, 5
ld 4, 8(3)
ldu 4, 8(3)
lbz 3, 1(4)
lha 5, 2(3)
lwa 3, 4(4)
lmw 28, 0(3)
stw 3, 0(4)
std 4, 8(3)
stdu 4, 8(3)
stwx 3, 4, 5
stb 3, 0(4)
lwarx 3, 0, 4
stwcx. 3, 0, 4
sync
lwsync
isync
eieio
lfd 1, 0(3)
lfs 2, 4(3)
stfd 1, 8(3)
fadd 1, 1, 2
fmul 2, 1, 3
fmadd 1, 2, 3, 1
fdiv 3, 1, 2
fsqrt 1, 2
fmr 2, 1
fctidz 1, 2
fcmpu 0, 1, 2
fsel 1, 2, 3, 4
lxvd2x 34, 0, 3
stxvd2x 34, 0, 4
lxv 35, 16(3)
stxv 35, 0(4)
xvadddp 34, 34, 35
xvmaddadp 34, 35, 36
xvdivsp 35, 34, 36
xsmuldp 1, 2, 3
xxlxor 34, 34, 34
xxlor 35, 34, 34
xxpermdi 34, 35, 36, 2
xxspltw 34, 35, 1
vadduwm 2, 2, 3
vperm 2, 3, 4, 5
vmsumuhm 2, 3, 4, 2
vcmpequw. 2, 3, 4
mtvsrd 34, 3
mfvsrd 4, 34
vcipher 2, 2, 3
paddi 3, 4, 100000
xvf32gerpp 0, 34, 35
bl f
b f
beq 0, f
bdnz f
bctrl
blr
nop

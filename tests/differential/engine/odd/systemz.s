# Memory to memory, register pairs, multiple loads and stores, conditional loads, decimal and vector.
ar %r1, %r2
agr %r1, %r1
ahi %r2, 1
aghik %r1, %r2, 5
alcr %r1, %r2
algr %r2, %r3
slgr %r1, %r1
sr %r3, %r3
xgr %r1, %r1
ngr %r1, %r2
msr %r1, %r2
msgr %r2, %r3
mlgr %r2, %r1
mghi %r1, 7
dsgr %r2, %r1
dlgr %r2, %r4
lr %r1, %r2
lgr %r2, %r1
lghi %r1, 0
la %r1, 8(%r2,%r3)
lgfr %r1, %r2
llgcr %r1, %r2
l %r1, 0(%r2)
lg %r2, 8(%r1)
lg %r1, 0(%r1)
lgb %r1, 1(%r2)
lmg %r6, %r9, 0(%r1)
st %r1, 0(%r2)
stg %r2, 8(%r1)
stc %r1, 0(%r2)
stmg %r6, %r9, 0(%r1)
a %r1, 0(%r2)
ag %r1, 8(%r2)
msg %r1, 0(%r2)
asi 0(%r1), 1
mvc 0(8,%r1), 0(%r2)
mvc 0(64,%r1), 0(%r2)
xc 0(8,%r1), 0(%r1)
clc 0(8,%r1), 0(%r2)
mvhi 0(%r1), 0
cr %r1, %r2
cghi %r1, 5
clgr %r1, %r2
tmll %r1, 1
locgre %r1, %r2
locr %r1, %r2, 8
ipm %r1
sllg %r1, %r2, 3
srak %r1, %r2, 4
rll %r1, %r2, 7
risbg %r1, %r2, 32, 159, 4
flogr %r2, %r1
popcnt %r1, %r2
cs %r1, %r2, 0(%r3)
laa %r1, %r2, 0(%r3)
bcr 15, %r0
ler %f1, %f2
ldr %f0, %f2
ld %f1, 0(%r1)
std %f1, 8(%r1)
adbr %f0, %f2
mdbr %f2, %f4
madbr %f0, %f2, %f4
ddbr %f0, %f2
debr %f1, %f2
sqdbr %f0, %f2
cdbr %f0, %f2
lzdr %f0
cdgbr %f0, %r1
cgdbr %r1, 5, %f0
ldgr %f0, %r1
lgdr %r1, %f0
vl %v24, 0(%r1)
vst %v24, 16(%r1)
va %v24, %v24, %v25, 2
vmlf %v25, %v24, %v26
vfadb %v24, %v24, %v25
vfmadb %v24, %v25, %v26, %v24
vfddb %v25, %v24, %v26
vperm %v24, %v25, %v26, %v27
vx %v24, %v24, %v24
vlr %v25, %v24
vlvgp %v24, %r1, %r2
vlgvg %r1, %v24, 0
vceqfs %v24, %v25, %v26
brasl %r14, f
j f
jne f
brctg %r1, f
basr %r14, %r1
br %r14
nopr %r7

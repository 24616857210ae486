// Address updates, multiply-accumulate forwarding, pairs, exclusives, moves and zero idioms, SVE with predicates.
add x0, x0, x1
add x0, x0, x1, lsl #3
add w2, w1, w2, sxtb #2
adds x1, x1, #1
sub sp, sp, #16
mul x2, x0, x1
madd x3, x0, x1, x3
madd x3, x2, x1, x3
smaddl x2, w0, w1, x2
umulh x1, x0, x2
sdiv x4, x3, x2
udiv w1, w2, w3
ldr x5, [x0]
ldr x0, [x0]
ldr x6, [x0], #8
ldr w1, [x2, x3, lsl #2]
ldrb w2, [x1, #1]!
ldrsw x3, [x0, #4]
ldp x7, x8, [x1], #16
ldp x1, x2, [x0]
ldnp x3, x4, [x0]
str x5, [x2]
str x5, [x2], #8
str q0, [x1, #16]!
stp x5, x6, [x2, #16]
stp q0, q1, [x0], #32
strb w1, [x2, x3]
ldar x1, [x0]
stlr x1, [x0]
ldxr x14, [x0]
stxr w15, x14, [x0]
ldadd x1, x2, [x0]
cas x1, x2, [x0]
swpal w1, w2, [x0]
dmb ish
dsb sy
isb
fmadd d0, d1, d2, d0
fmadd s0, s0, s1, s2
fadd v0.4s, v0.4s, v1.4s
fadd d0, d0, d0
fmla v2.4s, v0.4s, v1.4s
fmla v2.4s, v2.4s, v1.s[1]
fmul v1.2d, v0.2d, v2.2d
fdiv d3, d2, d1
fdiv v3.4s, v2.4s, v1.4s
fsqrt d1, d1
fcvtzs x1, d0
scvtf d0, x1
fmov x2, d1
fmov d2, x1
fmov d0, d1
fmov s1, wzr
fcmp d0, d1
fcsel d0, d1, d2, ne
fmax v0.4s, v1.4s, v2.4s
faddp v0.4s, v0.4s, v1.4s
mov x9, x5
mov x0, x1
mov w1, w2
mov w10, #0
mov x1, #0
movk x1, #5, lsl #16
mov v0.16b, v1.16b
mov v1.s[2], v0.s[0]
mov v0.d[1], x1
movi v2.2d, #0
movi v3.4s, #1
dup v0.4s, w1
umov w1, v0.s[1]
eor x11, x11, x11
eor v1.16b, v1.16b, v1.16b
subs x12, x12, #1
subs xzr, x0, x1
cmp x0, #4
ccmp x1, x2, #4, ne
csel x13, x12, x11, ne
csinc x1, x2, x3, eq
cset w0, lt
adc x0, x1, x2
adcs x0, x0, x1
ubfx w1, w2, #3, #5
bfi x1, x2, #4, #8
extr x1, x2, x3, #7
lsl x0, x1, x2
ror w1, w2, #3
rbit x0, x0
clz w1, w2
rev x1, x0
crc32x w0, w0, x1
tbl v0.16b, {v1.16b}, v2.16b
tbl v0.16b, {v1.16b, v2.16b}, v3.16b
ext v0.16b, v1.16b, v2.16b, #4
zip1 v0.4s, v1.4s, v2.4s
addv s0, v1.4s
smlal v0.4s, v1.4h, v2.4h
sdot v0.4s, v1.16b, v2.16b
mla v0.4s, v1.4s, v2.4s
saba v0.4s, v1.4s, v2.4s
srsra v0.4s, v1.4s, #3
aese v0.16b, v1.16b
aesmc v0.16b, v0.16b
pmull v0.1q, v1.1d, v2.1d
ld1 {v4.4s}, [x0], #16
ld1 {v0.4s, v1.4s}, [x1]
ld2 {v0.4s, v1.4s}, [x0], #32
ld3 {v0.8b, v1.8b, v2.8b}, [x1], x2
ld1 {v1.s}[2], [x0]
ld1r {v2.4s}, [x0]
st1 {v4.4s}, [x0], #16
st2 {v0.4s, v1.4s}, [x2]
ptrue p0.s
whilelo p0.s, x0, x1
ld1w {z0.s}, p0/z, [x0]
ld1w {z1.s}, p0/z, [x0, z0.s, uxtw]
st1w {z0.s}, p0, [x1]
fmla z0.s, p0/m, z1.s, z2.s
fmad z0.s, p0/m, z1.s, z2.s
movprfx z0, z1
mla z1.s, p0/m, z0.s, z2.s
add z0.s, z0.s, z1.s
sel z0.s, p0, z1.s, z2.s
faddv s0, p0, z1.s
incw x1
cntp x0, p0, p1.s
mul z1.d, p0/m, z1.d, z0.d
prfm pldl1keep, [x0]
mrs x0, nzcv
msr nzcv, x0
adr x0, f
adrp x1, f
bl f
blr x1
br x0
b f
b.ne f
cbz x0, f
tbnz w1, #3, f
ret
nop
hint #1

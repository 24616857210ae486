@ Predication, shifted operands, register lists, address updates, long multiplications, VFP and NEON.
add r0, r0, r1
add r0, r1, r2, lsl #3
add r0, r1, r2, lsl r3
adds r1, r1, #1
adc r0, r1, r2
addeq r0, r0, r1
movne r1, r2
mov r0, r1
mov r2, #0
mvn r1, r2
eor r3, r3, r3
mul r0, r1, r2
mla r0, r1, r2, r0
mla r0, r0, r2, r3
mls r0, r1, r2, r3
smull r0, r1, r2, r3
smlal r0, r1, r2, r3
umaal r0, r1, r2, r3
smlabb r0, r1, r2, r3
sdiv r0, r1, r2
udiv r1, r0, r2
cmp r0, r1
cmpne r1, #3
tst r0, #1
ldr r0, [r1]
ldr r0, [r1], #4
ldr r2, [r1, #4]!
ldr r0, [r1, r2, lsl #2]
ldrb r3, [r1], #1
ldrd r0, r1, [r2]
ldrh r0, [r1, #2]
ldm r0, {r1, r2, r3}
ldm r0!, {r1, r2, r3, r4}
pop {r0, r1, r2}
str r0, [r1]
str r0, [r1], #4
strd r0, r1, [r2]
stm r0!, {r1, r2}
push {r0, r1, r2, lr}
ldrex r0, [r1]
strex r2, r0, [r1]
dmb ish
clz r0, r1
rbit r0, r0
rev r1, r0
ubfx r0, r1, #3, #5
bfi r0, r1, #4, #8
uxtb r0, r1
sxtah r0, r1, r2
qadd r0, r1, r2
uadd8 r0, r1, r2
sel r0, r1, r2
ror r0, r1, r2
rrx r0, r1
vadd.f32 s0, s1, s2
vadd.f64 d0, d1, d2
vmla.f32 s0, s1, s2
vmla.f64 d0, d1, d2
vfma.f32 s0, s1, s2
vdiv.f32 s0, s1, s2
vdiv.f64 d0, d1, d2
vsqrt.f64 d1, d0
vmov s0, r0
vmov r0, s0
vmov d0, r0, r1
vmov.f64 d1, d0
vcmp.f32 s0, s1
vmrs apsr_nzcv, fpscr
vcvt.s32.f64 s0, d1
vldr d0, [r0]
vstr d0, [r0]
vldm r0!, {d0, d1, d2}
vstm r1, {d0, d1}
vadd.f32 q0, q1, q2
vmul.i32 q0, q1, q2
vmla.f32 q0, q1, q2
vmlal.s16 q0, d2, d3
veor q0, q0, q0
vmov q1, q0
vdup.32 q0, r1
vmov.32 d0[1], r2
vld1.32 {d0, d1}, [r0]!
vld2.32 {d0, d1}, [r0]
vst1.32 {d0, d1}, [r1]!
vtbl.8 d0, {d1, d2}, d3
vpadd.f32 d0, d1, d2
vext.8 q0, q1, q2, #4
bl f
blx r1
bx lr
b f
bne f
nop

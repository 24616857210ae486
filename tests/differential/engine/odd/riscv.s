# Scalar and vector; what follows a vsetvli is of its length.
add a0, a0, a1
addi a1, a1, 8
addw a2, a0, a1
mv a0, a1
li a1, 0
lui a2, 16
auipc a3, 1
sub a0, a0, a0
xor t0, t0, t1
slli a7, a6, 3
sltu a6, a0, a1
sh2add a0, a1, a0
mul a2, a0, a1
mulh a2, a0, a2
mulw a1, a0, a1
div a3, a2, a1
remu a2, a3, a1
divw a1, a2, a0
clz a0, a1
cpop a1, a0
min a0, a1, a2
rev8 a0, a0
ld a4, 0(a0)
ld a0, 0(a0)
lw a5, 4(a1)
lbu a2, 1(a0)
sd a4, 8(a0)
sw a5, 4(a1)
sb a2, 0(a1)
fld fa4, 0(a0)
flw fa3, 4(a0)
fsd fa4, 0(a1)
fadd.d fa0, fa0, fa1
fmul.s fa1, fa1, fa2
fmadd.d fa2, fa0, fa1, fa2
fdiv.d fa3, fa2, fa1
fdiv.s fa1, fa2, fa3
fsqrt.d fa0, fa0
fmv.d fa1, fa0
fmv.x.d a1, fa5
fmv.w.x fa0, a1
fcvt.d.w fa5, a0
fcvt.l.d a0, fa1
feq.d a0, fa0, fa1
fsgnj.d fa0, fa1, fa2
fclass.d a1, fa0
amoadd.w a0, a1, (a2)
amoswap.d.aqrl a1, a0, (a2)
lr.d a0, (a1)
sc.d a2, a0, (a1)
fence
fence.i
csrr a0, fcsr
ecall
beq a0, a1, f
bnez a0, f
j f
call f
jalr a1
ret
nop
c.addi a0, 1
vsetvli t0, a0, e32, m1, ta, ma
vsetvli t0, a0, e64, m2, ta, ma
vsetvli t0, a0, e8, mf2, ta, ma
vsetivli t0, 4, e16, m4, ta, mu
vsetvli t0, a0, e32, m8, tu, mu
vle32.v v8, (a0)
vle64.v v16, (a1)
vlse32.v v8, (a0), a1
vluxei32.v v8, (a0), v16
vlseg2e32.v v8, (a0)
vse32.v v8, (a1)
vsuxei32.v v8, (a0), v16
vl2re32.v v8, (a0)
vadd.vv v8, v8, v16
vadd.vx v16, v8, a0
vadd.vi v8, v16, 1, v0.t
vwadd.vv v8, v16, v24
vnsrl.wi v24, v8, 3
vmul.vv v16, v8, v16
vmacc.vv v8, v16, v24
vdiv.vv v8, v16, v24
vfadd.vv v8, v8, v16
vfmacc.vv v8, v16, v24
vfmacc.vf v8, fa0, v16
vfdiv.vv v16, v8, v24
vfsqrt.v v8, v8
vfredosum.vs v8, v16, v24
vredsum.vs v8, v16, v24
vmseq.vv v0, v8, v16
vmand.mm v0, v0, v1
vcpop.m a0, v0
vmerge.vvm v8, v16, v24, v0
vrgather.vv v8, v16, v24
vslideup.vi v8, v16, 2
vcompress.vm v8, v16, v0
vmv.v.i v8, 0
vmv.v.v v16, v8
vmv.x.s a0, v8
vmv1r.v v8, v9
vxor.vv v8, v8, v8
vid.v v8

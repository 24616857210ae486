@ Blocks under IT and VPT, in one line each, as what is inside them would not parse alone. Added to those of arm.s.
it eq; addeq r0, r0, r1
it ne; movne r1, r2
ite lt; movlt r0, #1; movge r0, #2
itt gt; ldrgt r0, [r1]; addgt r0, r0, #4
cbz r0, f
cbnz r1, f
tbb [pc, r0]
adds r0, r1, r2
subs r1, #4
lsls r0, r1, #2
muls r0, r1, r0
le lr, f
dls lr, r0
vpt.i32 eq, q0, q1; vaddt.i32 q0, q1, q2
vadd.i32 q0, q1, q2
vmla.i32 q0, q1, r0
vmladav.s32 r0, q0, q1
vldrw.u32 q0, [r0], #16
vstrw.32 q0, [r1], #16
vfma.f32 q0, q1, q2
vldrw.u32 q0, [r0, q1]
csel r0, r1, r2, eq

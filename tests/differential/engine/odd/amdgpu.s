; Waits for memory counters, scalar and vector memory, transcendental and double precision, matrices.
s_waitcnt vmcnt(0)
s_waitcnt lgkmcnt(0)
s_waitcnt vmcnt(1) lgkmcnt(2)
s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
s_waitcnt_vscnt null, 0x0
s_nop 0
s_nop 3
s_add_u32 s0, s0, s1
s_addc_u32 s1, s1, s2
s_mul_i32 s2, s0, s1
s_lshl_b64 s[0:1], s[0:1], s2
s_mov_b32 s0, s1
s_mov_b64 s[2:3], s[0:1]
s_cmp_eq_u32 s0, s1
s_cselect_b32 s0, s1, s2
s_and_saveexec_b64 s[0:1], vcc
s_load_dword s0, s[2:3], 0x0
s_load_dwordx4 s[4:7], s[2:3], 0x10
s_load_dwordx8 s[8:15], s[2:3], 0x0
s_barrier
s_branch f
s_cbranch_scc1 f
s_cbranch_vccz f
s_setpc_b64 s[0:1]
v_mov_b32_e32 v0, v1
v_mov_b32_e32 v1, s0
v_add_f32_e32 v0, v0, v1
v_add_f32_e32 v1, s0, v1
v_mul_f32_e32 v2, v0, v1
v_fma_f32 v0, v1, v2, v0
v_mac_f32_e32 v0, v1, v2
v_fmac_f32_e32 v0, v1, v2
v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
v_mul_lo_u32 v0, v1, v2
v_mul_hi_u32 v1, v0, v2
v_add_f64 v[0:1], v[0:1], v[2:3]
v_fma_f64 v[0:1], v[2:3], v[4:5], v[0:1]
v_mul_f64 v[2:3], v[0:1], v[4:5]
v_rcp_f32_e32 v0, v1
v_sqrt_f32_e32 v1, v0
v_exp_f32_e32 v2, v0
v_rcp_f64_e32 v[0:1], v[2:3]
v_cvt_f32_u32_e32 v0, v1
v_cvt_f64_f32_e32 v[0:1], v2
v_cmp_lt_f32_e32 vcc, v0, v1
v_cmp_eq_u64_e32 vcc, v[0:1], v[2:3]
v_cndmask_b32_e32 v0, v1, v2, vcc
v_readfirstlane_b32 s0, v0
v_readlane_b32 s1, v1, s0
v_writelane_b32 v0, s0, s1
v_lshlrev_b64 v[0:1], 2, v[2:3]
v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
v_accvgpr_read_b32 v0, a0
v_accvgpr_write_b32 a0, v0
global_load_dword v0, v[2:3], off
global_load_dwordx4 v[4:7], v[0:1], off
global_store_dword v[0:1], v2, off
global_atomic_add v[0:1], v2, off
flat_load_dword v0, v[2:3]
flat_store_dword v[2:3], v0
buffer_load_dword v0, off, s[4:7], 0
buffer_store_dword v0, off, s[4:7], 0
ds_read_b32 v0, v1
ds_read2_b32 v[0:1], v2 offset1:1
ds_load_b32 v0, v1
ds_write_b32 v0, v1
ds_store_b32 v0, v1
ds_add_u32 v0, v1
exp pos0 v0, v1, v2, v3
s_endpgm

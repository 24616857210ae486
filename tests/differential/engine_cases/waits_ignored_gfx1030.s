; mca: triple=amdgcn-amd-amdhsa cpu=gfx1030
; engine: iterations=8 customBehaviour=0 timeline=1 bottlenecks=1
; Without the target's own rules.
	global_load_dword v0, v[2:3], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v0, v1
	s_load_dwordx4 s[4:7], s[2:3], 0x10
	s_waitcnt lgkmcnt(0)
	v_mul_f32_e32 v2, v0, v1

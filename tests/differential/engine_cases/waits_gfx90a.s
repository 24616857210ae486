; mca: triple=amdgcn-amd-amdhsa cpu=gfx90a
; engine: iterations=8 timeline=1 bottlenecks=1 dispatchStatistics=1 schedulerStatistics=1 retireStatistics=1 registerFileStatistics=1
; The wait for memory, which is the target's own rule.
	global_load_dword v0, v[2:3], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v0, v1
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
	global_store_dword v[2:3], v2, off

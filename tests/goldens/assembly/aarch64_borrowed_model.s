// mca: triple=arm64-apple-macosx cpu=apple-m4
//  | finding 1-47: information borrowed-model: LLVM has no scheduling model of apple-m4's own and uses that of apple-a7: all numbers in this file are estimates
//  | target: arm64-apple-macosx apple-m4 (set in the buffer); apple-m4: modelled as apple-a7
; The numbers come from another CPU's model, and say so.
; LLVM-MCA-BEGIN square root
//  ^ hint: IPC 0.09 · 22.0 cyc · dep
//  | finding 1-29: information register-dependency: square root: limited by a loop-carried chain through d0: 22.0 of 22.0 cycles per iteration
//  |   line 4: fmul d1, d0, d0: d1 after 5 cycles
//  |   line 5: fsqrt d0, d1: d0 after 17 cycles, for the next iteration
//  | region square root (marker) to line 6: 2 instructions, 100 iterations in 2203 cycles, block rthroughput 8.50
	fmul	d1, d0, d0
	fsqrt	d0, d1
; LLVM-MCA-END square root

# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | target: x86_64-unknown-linux-gnu skylake (set in the buffer); skylake: its own model
# As rustc's output is shown: Intel's syntax without a directive, and paths as labels.
lib::pick:
	push rax
	vxorpd xmm0, xmm0, xmm0
	xor eax, eax
.LBB0_3:
#  ^ hint: IPC 2.00 · 4.0 cyc · dep
#  | finding 1-9: information register-dependency: loop in lib::pick: limited by a loop-carried chain through xmm0: 4.0 of 4.0 cycles per iteration
#  |   line 12: vaddsd xmm0, xmm0, qword ptr [rdx + 8*r8]: xmm0 after 4 cycles, for the next iteration
#  | region loop in lib::pick (loop) to line 15: 8 instructions, 100 iterations in 414 cycles, block rthroughput 1.50
	mov r8, qword ptr [rdi + 8*rax]
	cmp r8, rcx
	jae .LBB0_7
	movsx rdx, r8d
	vaddsd xmm0, xmm0, qword ptr [rdx + 8*r8]
	inc rax
	cmp rsi, rax
	jne .LBB0_3
	pop rcx
	ret
.LBB0_7:
	lea rdx, [rip + .L__unnamed_1]
	call core::panicking::panic_bounds_check

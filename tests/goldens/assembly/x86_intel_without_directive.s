# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# As rustc's output is shown: Intel's syntax without a directive, and paths as labels.
lib::pick:
	push rax
	vxorpd xmm0, xmm0, xmm0
	xor eax, eax
.LBB0_3:
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

// What compilers make of small sources, without directives that nobody here reads.
#pragma once

namespace analysis {

// a.c, which the first three are made of:
//   1 static int half(int a) {
//   2   return a / 2;
//   3 }
//   4 static int more(int a) {
//   5   return half(a) + 9;
//   6 }
//   7 int f(const int *p, int n) {
//   8   int s = p[n];
//   9   s += more(p[0]);
//  10   return s ^ half(n);
//  11 }

/// gcc 12 -O2 -g1 for x86-64: DWARF 5, ranges by `.debug_rnglists`.
inline constexpr const char *kGccDwarf5 = R"(
	.file "a.c"
	.text
.Ltext0:
	.file 0 "/home/dir" "a.c"
	.type f, @function
f:
.LFB2:
	.file 1 "a.c"
	.loc 1 7 28
.LBB10: .LBB11: .LBB12: .LBB13:
	.loc 1 2 12
	movl (%rdi), %edx
.LBE13: .LBE12: .LBE11: .LBE10:
	.loc 1 8 12
	movslq %esi, %rcx
.LBB21: .LBB18: .LBB16: .LBB14:
	.loc 1 2 12
	movl %edx, %eax
	shrl $31, %eax
	addl %edx, %eax
.LBE14: .LBE16: .LBE18: .LBE21: .LBB22: .LBB23:
	movl %esi, %edx
	shrl $31, %edx
.LBE23: .LBE22: .LBB26: .LBB19: .LBB17: .LBB15:
	sarl %eax
.LBE15: .LBE17: .LBE19: .LBE26: .LBB27: .LBB24:
	addl %esi, %edx
.LBE24: .LBE27: .LBB28: .LBB20:
	.loc 1 5 18
	addl $9, %eax
.LBE20: .LBE28:
	.loc 1 9 5
	addl (%rdi,%rcx,4), %eax
.LBB29: .LBB25:
	.loc 1 2 12
	sarl %edx
.LBE25: .LBE29:
	.loc 1 10 12
	xorl %edx, %eax
	.loc 1 11 1
	ret
.LFE2: .Letext0:
	.section .debug_info,"",@progbits
.Ldebug_info0:
	.long 0x93
	.value 0x5
	.byte 0x1, 0x8
	.long .Ldebug_abbrev0
	.uleb128 0x3
	.long .LASF4
	.byte 0x1d
	.long .LASF0, .LASF1
	.quad .Ltext0, .Letext0-.Ltext0
	.long .Ldebug_line0
	.uleb128 0x4
	.string "f"
	.byte 0x1, 0x7, 0x5
	.quad .LFB2, .LFE2-.LFB2
	.uleb128 0x1
	.byte 0x9c
	.long 0x8a
	.uleb128 0x5
	.long 0x8a
	.quad .LBB10
	.long .LLRL0
	.byte 0x1, 0x9, 0x8
	.long 0x76
	.uleb128 0x1
	.long 0x90
	.quad .LBB12
	.long .LLRL1
	.byte 0x5, 0xa, 0
	.uleb128 0x1
	.long 0x90
	.quad .LBB22
	.long .LLRL2
	.byte 0xa, 0xe, 0
	.uleb128 0x2
	.long .LASF2
	.byte 0x4
	.uleb128 0x2
	.long .LASF3
	.byte 0x1, 0
	.section .debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1, 0x1d
	.byte 0
	.uleb128 0x31, 0x13, 0x52, 0x1, 0x55, 0x17, 0x58, 0x21
	.sleb128 1
	.uleb128 0x59, 0xb, 0x57, 0xb
	.byte 0, 0
	.uleb128 0x2, 0x2e
	.byte 0
	.uleb128 0x3, 0xe, 0x3a, 0x21
	.sleb128 1
	.uleb128 0x3b, 0xb, 0x39, 0x21
	.sleb128 12
	.uleb128 0x20, 0x21
	.sleb128 1
	.byte 0, 0
	.uleb128 0x3, 0x11
	.byte 0x1
	.uleb128 0x25, 0xe, 0x13, 0xb, 0x3, 0x1f, 0x1b, 0x1f, 0x11, 0x1, 0x12, 0x7, 0x10, 0x17
	.byte 0, 0
	.uleb128 0x4, 0x2e
	.byte 0x1
	.uleb128 0x3f, 0x19, 0x3, 0x8, 0x3a, 0xb, 0x3b, 0xb, 0x39, 0xb, 0x11, 0x1, 0x12, 0x7, 0x40, 0x18, 0x7a
	.uleb128 0x19, 0x1, 0x13
	.byte 0, 0
	.uleb128 0x5, 0x1d
	.byte 0x1
	.uleb128 0x31, 0x13, 0x52, 0x1, 0x55, 0x17, 0x58, 0xb, 0x59, 0xb, 0x57, 0xb, 0x1, 0x13
	.byte 0, 0, 0
	.section .debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long .Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value 0x5
	.byte 0x8, 0
	.long 0
.LLRL0:
	.byte 0x4
	.uleb128 .LBB10-.Ltext0, .LBE10-.Ltext0
	.byte 0x4
	.uleb128 .LBB21-.Ltext0, .LBE21-.Ltext0
	.byte 0x4
	.uleb128 .LBB26-.Ltext0, .LBE26-.Ltext0
	.byte 0x4
	.uleb128 .LBB28-.Ltext0, .LBE28-.Ltext0
	.byte 0
.LLRL1:
	.byte 0x4
	.uleb128 .LBB12-.Ltext0, .LBE12-.Ltext0
	.byte 0x4
	.uleb128 .LBB16-.Ltext0, .LBE16-.Ltext0
	.byte 0x4
	.uleb128 .LBB17-.Ltext0, .LBE17-.Ltext0
	.byte 0
.LLRL2:
	.byte 0x4
	.uleb128 .LBB22-.Ltext0, .LBE22-.Ltext0
	.byte 0x4
	.uleb128 .LBB27-.Ltext0, .LBE27-.Ltext0
	.byte 0x4
	.uleb128 .LBB29-.Ltext0, .LBE29-.Ltext0
	.byte 0
.Ldebug_ranges3:
	.section .debug_line,"",@progbits
.Ldebug_line0:
	.section .debug_str,"MS",@progbits,1
.LASF4:
	.string "compiler"
.LASF3:
	.string "half"
.LASF2:
	.string "more"
	.section .debug_line_str,"MS",@progbits,1
.LASF0:
	.string "a.c"
.LASF1:
	.string "/home/dir"
)";

/// gcc 12 -O2 -gdwarf-4 -g1 for MIPS: big endian, addresses of 4 bytes, ranges by `.debug_ranges`.
inline constexpr const char *kGccDwarf4BigEndian = R"(
	.text
$Ltext0:
	.file 1 "a.c"
$LFB2 = .
	.loc 1 7 28
	.set nomips16
	.set nomicromips
	.type f, @function
f:
	.set noreorder
	.set nomacro
$LBB10 = .; $LBB11 = .; $LBB12 = .; $LBB13 = .
	.loc 1 2 12
	lw $6,0($4)
$LBE13 = .; $LBE12 = .; $LBE11 = .; $LBE10 = .
	.loc 1 8 7
	sll $7,$5,2
$LBB23 = .; $LBB24 = .
	.loc 1 2 12
	srl $3,$5,31
$LBE24 = .; $LBE23 = .
	.loc 1 8 7
	addu $4,$4,$7
$LBB27 = .; $LBB20 = .; $LBB17 = .; $LBB14 = .
	.loc 1 2 12
	srl $2,$6,31
$LBE14 = .; $LBE17 = .; $LBE20 = .; $LBE27 = .; $LBB28 = .; $LBB25 = .
	addu $3,$3,$5
$LBE25 = .; $LBE28 = .; $LBB29 = .; $LBB21 = .; $LBB18 = .; $LBB15 = .
	addu $2,$2,$6
$LBE15 = .; $LBE18 = .; $LBE21 = .; $LBE29 = .
	.loc 1 8 7
	lw $4,0($4)
$LBB30 = .; $LBB26 = .
	.loc 1 2 12
	sra $3,$3,1
$LBE26 = .; $LBE30 = .; $LBB31 = .; $LBB22 = .; $LBB19 = .; $LBB16 = .
	sra $2,$2,1
$LBE16 = .; $LBE19 = .
	.loc 1 5 18
	addiu $2,$2,9
$LBE22 = .; $LBE31 = .
	.loc 1 9 5
	addu $2,$2,$4
	.loc 1 11 1
	jr $31
	xor $2,$2,$3
	.set macro
	.set reorder
$LFE2: $Letext0:
	.section .debug_info,"",@progbits
$Ldebug_info0:
	.4byte 0x7e
	.2byte 0x4
	.4byte $Ldebug_abbrev0
	.byte 0x4
	.uleb128 0x1
	.4byte $LASF2
	.byte 0xc
	.ascii "a.c\000"
	.4byte $LASF3, $Ltext0, $Letext0-$Ltext0, $Ldebug_line0
	.uleb128 0x2
	.ascii "f\000"
	.byte 0x1, 0x7, 0x5
	.4byte $LFB2, $LFE2-$LFB2
	.uleb128 0x1
	.byte 0x9c
	.4byte 0x6f
	.uleb128 0x3
	.4byte 0x6f, $LBB10, $Ldebug_ranges0+0
	.byte 0x1, 0x9, 0x8
	.4byte 0x5e
	.uleb128 0x4
	.4byte 0x78, $LBB12, $Ldebug_ranges0+0x28
	.byte 0x1, 0x5, 0xa, 0
	.uleb128 0x4
	.4byte 0x78, $LBB23, $Ldebug_ranges0+0x50
	.byte 0x1, 0xa, 0xe, 0
	.uleb128 0x5
	.4byte $LASF0
	.byte 0x1, 0x4, 0xc, 0x1
	.uleb128 0x5
	.4byte $LASF1
	.byte 0x1, 0x1, 0xc, 0x1, 0
	.section .debug_abbrev,"",@progbits
$Ldebug_abbrev0:
	.uleb128 0x1, 0x11
	.byte 0x1
	.uleb128 0x25, 0xe, 0x13, 0xb, 0x3, 0x8, 0x1b, 0xe, 0x11, 0x1, 0x12, 0x6, 0x10, 0x17
	.byte 0, 0
	.uleb128 0x2, 0x2e
	.byte 0x1
	.uleb128 0x3f, 0x19, 0x3, 0x8, 0x3a, 0xb, 0x3b, 0xb, 0x39, 0xb, 0x11, 0x1, 0x12, 0x6, 0x40, 0x18, 0x2117
	.uleb128 0x19, 0x1, 0x13
	.byte 0, 0
	.uleb128 0x3, 0x1d
	.byte 0x1
	.uleb128 0x31, 0x13, 0x52, 0x1, 0x55, 0x17, 0x58, 0xb, 0x59, 0xb, 0x57, 0xb, 0x1, 0x13
	.byte 0, 0
	.uleb128 0x4, 0x1d
	.byte 0
	.uleb128 0x31, 0x13, 0x52, 0x1, 0x55, 0x17, 0x58, 0xb, 0x59, 0xb, 0x57, 0xb
	.byte 0, 0
	.uleb128 0x5, 0x2e
	.byte 0
	.uleb128 0x3, 0xe, 0x3a, 0xb, 0x3b, 0xb, 0x39, 0xb, 0x20, 0xb
	.byte 0, 0, 0
	.section .debug_ranges,"",@progbits
$Ldebug_ranges0:
	.4byte $LBB10-$Ltext0, $LBE10-$Ltext0, $LBB27-$Ltext0, $LBE27-$Ltext0, $LBB29-$Ltext0, $LBE29-$Ltext0
	.4byte $LBB31-$Ltext0, $LBE31-$Ltext0, 0, 0, $LBB12-$Ltext0, $LBE12-$Ltext0, $LBB17-$Ltext0, $LBE17-$Ltext0
	.4byte $LBB18-$Ltext0, $LBE18-$Ltext0, $LBB19-$Ltext0, $LBE19-$Ltext0, 0, 0, $LBB23-$Ltext0, $LBE23-$Ltext0
	.4byte $LBB28-$Ltext0, $LBE28-$Ltext0, $LBB30-$Ltext0, $LBE30-$Ltext0, 0, 0
	.section .debug_line,"",@progbits
$Ldebug_line0:
	.section .debug_str,"MS",@progbits,1
$LASF0:
	.ascii "more\000"
$LASF1:
	.ascii "half\000"
$LASF2:
	.ascii "compiler"
	.ascii "xc1-sxc1 -mips32r2 -mabi=32 -gdwarf-4 -g1 -O2\000"
$LASF3:
	.ascii "/home/dir\000"
)";

/// clang 22 -O2 -g1 for x86-64: addresses by `.debug_addr`, names by `.debug_str_offsets`.
inline constexpr const char *kClangDwarf5 = R"(
	.file "a.c"
	.text
	.type f,@function
f:
.Lfunc_begin0:
	.file 0 "/home/dir" "a.c" md5 0x82e40910389c104e0ba8dd2452460506
	.loc 0 8 11 prologue_end             # a.c:8:11
	movslq %esi, %rcx
	movl (%rdi,%rcx,4), %eax
	.loc 0 9 13 is_stmt 0                # a.c:9:13
	movl (%rdi), %edx
.Ltmp0:
	.loc 0 2 12 is_stmt 1                # a.c:2:12 @[ a.c:5:10 @[ a.c:9:8 ] ]
	movl %edx, %esi
	shrl $31, %esi
	addl %edx, %esi
	sarl %esi
.Ltmp1:
	.loc 0 9 5                           # a.c:9:5
	leal (%rax,%rsi), %edx
	addl $9, %edx
.Ltmp2:
	.loc 0 2 12                          # a.c:2:12 @[ a.c:10:14 ]
	movl %ecx, %eax
	shrl $31, %eax
	addl %ecx, %eax
	sarl %eax
.Ltmp3:
	.loc 0 10 12                         # a.c:10:12
	xorl %edx, %eax
	.loc 0 10 3 is_stmt 0                # a.c:10:3
	retq
.Ltmp4: .Lfunc_end0:
	.section .debug_abbrev,"",@progbits
	.byte 1, 17, 1, 37, 37, 19, 5, 3, 37, 114, 23, 16, 23, 27, 37, 17, 27, 18, 6, 115, 23, 0, 0, 2, 46, 0
	.byte 3, 37, 32, 33, 1, 0, 0, 3, 46, 1, 17, 27, 18, 6, 122, 25, 3, 37, 0, 0, 4, 29, 1, 49, 19, 17, 27
	.byte 18, 6, 88, 11, 89, 11, 87, 11, 0, 0, 5, 29, 0, 49, 19, 17, 27, 18, 6, 88, 11, 89, 11, 87, 11, 0
	.byte 0, 0
	.section .debug_info,"",@progbits
.Lcu_begin0:
	.long .Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short 5
	.byte 1, 8
	.long .debug_abbrev
	.byte 1, 0
	.short 29
	.byte 1
	.long .Lstr_offsets_base0, .Lline_table_start0
	.byte 2, 0
	.long .Lfunc_end0-.Lfunc_begin0, .Laddr_table_base0
	.byte 2, 3, 2, 4, 3, 0
	.long .Lfunc_end0-.Lfunc_begin0
	.byte 5, 4
	.long 37
	.byte 1
	.long .Ltmp1-.Ltmp0
	.byte 0, 9, 8, 5
	.long 35
	.byte 1
	.long .Ltmp1-.Ltmp0
	.byte 0, 5, 10, 0, 5
	.long 35
	.byte 2
	.long .Ltmp3-.Ltmp2
	.byte 0, 10, 14, 0, 0
.Ldebug_info_end0:
	.section .debug_str_offsets,"",@progbits
	.long 28
	.short 5, 0
.Lstr_offsets_base0:
	.section .debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz "compiler"
.Linfo_string1:
	.asciz "a.c"
.Linfo_string2:
	.asciz "/home/dir"
.Linfo_string3:
	.asciz "half"
.Linfo_string4:
	.asciz "more"
.Linfo_string5:
	.asciz "f"
	.section .debug_str_offsets,"",@progbits
	.long .Linfo_string0, .Linfo_string1, .Linfo_string2, .Linfo_string3, .Linfo_string4, .Linfo_string5
	.section .debug_addr,"",@progbits
	.long .Ldebug_addr_end0-.Ldebug_addr_start0
.Ldebug_addr_start0:
	.short 5
	.byte 8, 0
.Laddr_table_base0:
	.quad .Lfunc_begin0, .Ltmp0, .Ltmp2
.Ldebug_addr_end0:
	.section .debug_line,"",@progbits
.Lline_table_start0:
)";

/// clang 22 -O1 -fbasic-block-address-map -mllvm -pgo-analysis-map=all: a loop between a test and two exits.
inline constexpr const char *kClangAddressMap = R"(
	.file "blocks.c"
	.text
	.type g,@function
g:
.Lfunc_begin0:
	.file 0 "/home/dir" "blocks.c" md5 0xae60d8a3914dc9e442a1feb11dee2c33
	.loc 0 3 21 prologue_end             # blocks.c:3:21
	testl %esi, %esi
	.loc 0 3 3                           # blocks.c:3:3
	jle .LBB0_4
.LBB_END0_0: .LBB0_1:
	.loc 0 3 21                          # blocks.c:3:21
	movl %esi, %ecx
	xorl %edx, %edx
	xorl %esi, %esi
	xorl %eax, %eax
.LBB_END0_1:
	.loc 0 0 21 is_stmt 0                # :0:21
.Ltmp0: .LBB0_2:
	.loc 0 4 9 is_stmt 1                 # blocks.c:4:9
	movl (%rdi,%rsi,4), %r8d
	.loc 0 4 14 is_stmt 0                # blocks.c:4:14
	cmpl $7, %r8d
	cmovel %edx, %r8d
	addl %r8d, %eax
	.loc 0 3 27 is_stmt 1                # blocks.c:3:27
	incq %rsi
	.loc 0 3 21                          # blocks.c:3:21
	cmpq %rsi, %rcx
	.loc 0 3 3                           # blocks.c:3:3
	jne .LBB0_2
.LBB_END0_2: .LBB0_3:
	.loc 0 6 3                           # blocks.c:6:3
	retq
.LBB_END0_3: .LBB0_4:
	.loc 0 0 3 is_stmt 0                 # blocks.c:0:3
	xorl %eax, %eax
	.loc 0 6 3 is_stmt 1                 # blocks.c:6:3
	retq
.Ltmp1: .LBB_END0_4: .Lfunc_end0:
	.section .llvm_bb_addr_map,"o",@llvm_bb_addr_map,.text
	.byte 5
	.short 7
	.quad .Lfunc_begin0
	.byte 5, 0
	.uleb128 .Lfunc_begin0-.Lfunc_begin0, .LBB_END0_0-.Lfunc_begin0
	.byte 8, 1
	.uleb128 .LBB0_1-.LBB_END0_0, .LBB_END0_1-.LBB0_1
	.byte 8, 3
	.uleb128 .LBB0_2-.LBB_END0_1, .LBB_END0_2-.LBB0_2
	.byte 8, 2
	.uleb128 .LBB0_3-.LBB_END0_2, .LBB_END0_3-.LBB0_3
	.byte 1, 4
	.uleb128 .LBB0_4-.LBB_END0_3, .LBB_END0_4-.LBB0_4
	.byte 1, 0
	.ascii "\263\346\314\231\263\346\314\001"
	.byte 2, 1
	.ascii "\200\200\200\200\005"
	.byte 4
	.ascii "\200\200\200\200\003"
	.ascii "\200\200\200\200\200\200\200\001"
	.byte 1, 3
	.ascii "\200\200\200\200\b"
	.ascii "\200\200\200\200\200\200\200 "
	.byte 2, 2
	.ascii "\200\200\200 "
	.byte 3
	.ascii "\200\200\200\340\007"
	.ascii "\200\200\200\200\200\200\200\001"
	.byte 0
	.ascii "\263\346\314\231\263\346L"
	.byte 0
	.text
)";

} // namespace analysis

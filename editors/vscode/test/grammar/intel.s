    .intel_syntax noprefix
#   ^^^^^^^^^^^^^ support.type.directive
#                 ^^^^^^^^ storage.modifier.size
    vfmadd231sd xmm0, xmm1, qword ptr [rdx + 8*rsi - 0x10]
#   ^^^^^^^^^^^ keyword.mnemonic
#               ^^^^ variable.other.register
#                           ^^^^^^^^^ storage.modifier.size
#                                      ^^^ variable.other.register
#                                            ^ constant.numeric
#                                             ^ keyword.operator
#                                                    ^^^^ constant.numeric
    mov eax, DWORD PTR fs:counter@TPOFF
#            ^^^^^^^^^ storage.modifier.size
#                      ^^ variable.other.register
#                         ^^^^^^^ entity.name.function.symbol
#                                ^^^^^^ storage.modifier.relocation
    mov edi, OFFSET FLAT:.LC0 ; a comment
#            ^^^^^^^^^^^ storage.modifier.size
#                        ^^^^ entity.name.function.label.local
#                             ^^^^^^^^^^^ comment.line
    vaddps zmm1 {k1} {z}, zmm2, dword ptr [rax]{1to16}
#                ^^ variable.other.register
#                    ^^^ storage.modifier.mask
#                                              ^^^^^^^ storage.modifier.mask
    and r8d, 0ffh
#       ^^^ variable.other.register
#            ^^^^ constant.numeric
; LLVM-MCA-BEGIN
# <- comment.line.marker
# ^^^^^^^^^^^^^^ keyword.control.marker
    ret
#   ^^^ keyword.control.mnemonic

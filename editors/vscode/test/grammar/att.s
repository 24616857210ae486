# mca: triple=x86_64-linux-gnu cpu=znver4
# <- comment.line.setting
# ^^^^ keyword.control.setting
#      ^^^^^^ variable.parameter.setting
#            ^ keyword.operator.setting
#             ^^^^^^^^^^^^^^^^ string.unquoted.setting
# mca: alias rdi
#      ^^^^^ keyword.other.setting
#            ^^^ variable.parameter.setting
dot: # LLVM-MCA-BEGIN dot
# <-- entity.name.function.label
#    ^^ comment.line.marker
#      ^^^^^^^^^^^^^^ keyword.control.marker
#                    ^^^^ variable.parameter.marker
    vmovups 8(%rdi,%rax,4), %ymm1 # 32-byte load
#   ^^^^^^^ keyword.mnemonic
#           ^ constant.numeric
#             ^^^^ variable.other.register
#                 ^ punctuation.separator
#                           ^^^^^ variable.other.register
#                                 ^^^^^^^^^^^^^^ comment.line
.LBB0_2: addq $-0x20, %rax; jne .LBB0_2
# <------ entity.name.function.label.local
#        ^^^^ keyword.mnemonic
#             ^ punctuation.definition.immediate
#              ^ keyword.operator
#               ^^^^ constant.numeric
#                         ^ punctuation.terminator.statement
#                           ^^^ keyword.control.mnemonic
#                               ^^^^^^^ entity.name.function.label.local
1:  lock cmpxchgq %rcx, %fs:counter@GOTTPOFF(%rip)
# < entity.name.function.label.local
#   ^^^^ storage.modifier.prefix
#        ^^^^^^^^ keyword.mnemonic
#                       ^^^ variable.other.register
#                           ^^^^^^^ entity.name.function.symbol
#                                  ^^^^^^^^^ storage.modifier.relocation
    jmp 1b
#       ^^ entity.name.function.label.local
    rep; stosb
#   ^^^ storage.modifier.prefix
#        ^^^^^ keyword.mnemonic
    callq *%r11 # LLVM-MCA-END
#   ^^^^^ keyword.control.mnemonic
#         ^ keyword.operator
#               ^^ comment.line.marker
    call memcpy@PLT
#        ^^^^^^ entity.name.function.symbol
#              ^^^^ storage.modifier.relocation
    fxch %st(1)
#        ^^^^^^ variable.other.register
    vaddps %zmm1, %zmm2, %zmm3 {%k1} {z}
#                               ^^^ variable.other.register
#                                    ^^^ storage.modifier.mask
    {evex} vmovups .LC0+4(%rip), %xmm0
#   ^^^^^^ storage.modifier.prefix
#                  ^^^^ entity.name.function.label.local
#                      ^ keyword.operator
    movb $'a, (%rdi) /* LLVM-MCA-BEGIN
#         ^^ constant.character
#                    ^^^^^^^^^^^^^^^^^ comment.block
  of two lines */
    .section .rodata.str1.1,"aMS",@progbits,1
#   ^^^^^^^^ support.type.directive
#            ^^^^^^^^^^^^^^ string.unquoted.section
#                                 ^^^^^^^^^ storage.modifier.relocation
    .ascii "one # no comment\n\001"
#                           ^^ string.quoted.double constant.character.escape
#                             ^^^^ constant.character.escape
size = . - dot
# <--- entity.name.function.symbol
#    ^ keyword.operator.assignment
#      ^ variable.language.location
    .if size > 64
#   ^^^ keyword.control.directive
    .macro both first, second:req
#   ^^^^^^ keyword.control.directive
#          ^^^^ entity.name.function.macro
#               ^^^^^ variable.parameter.macro
#                            ^^^^ storage.modifier.macro
    v\first\()ps %\second, %xmm0, %xmm1
#   ^^^^^^^^^^^^ keyword.mnemonic
#                ^^^^^^^^ variable.other.register
    .endm

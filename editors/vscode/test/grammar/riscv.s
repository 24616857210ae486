    .attribute 5, "rv64gcv"
#   ^^^^^^^^^^ support.type.directive
#                 ^^^^^^^^^ string.quoted.double
.Lpcrel_hi0: auipc a1, %pcrel_hi(table)
# <---------- entity.name.function.label.local
#            ^^^^^ keyword.mnemonic
#                  ^^ variable.other.register
#                      ^^^^^^^^^ storage.modifier.relocation
#                                ^^^^^ entity.name.function.symbol
    lw a0, %lo(table)(a1) # a comment
#          ^^^ storage.modifier.relocation
#                     ^^ variable.other.register
#                         ^^^^^^^^^^^ comment.line
    vsetvli t0, a2, e64, m2, ta, ma
#           ^^ variable.other.register
#                   ^^^ constant.language
#                        ^^ constant.language
#                            ^^ constant.language
    vfmacc.vv v8, v10, v12, v0.t
#   ^^^^^^^^^ keyword.mnemonic
#                           ^^^^ variable.other.register
    fcvt.w.s a0, fa0, rtz
#                ^^^ variable.other.register
#                     ^^^ constant.language
    fence r, rw
#         ^ constant.language
    bne a0, zero, .LBB0_2
#   ^^^ keyword.control.mnemonic
#           ^^^^ variable.other.register
# LLVM-MCA-RISCV-LMUL M2
# ^^^^^^^^^^^^^^^^^^^ keyword.control.marker

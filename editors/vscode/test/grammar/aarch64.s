    .arch armv9-a
//  ^^^^^ support.type.directive
    ldr x8, [x1, #-16]! // a comment
//  ^^^ keyword.mnemonic
//      ^^ variable.other.register
//               ^ punctuation.definition.immediate
//                ^ keyword.operator
//                 ^^ constant.numeric
//                      ^^^^^^^^^^^^ comment.line
    add x0, x0, #:lo12:table
//              ^ punctuation.definition.immediate
//               ^^^^^^ storage.modifier.relocation
//                     ^^^^^ entity.name.function.symbol
    ldr x0, [x0, :got_lo12:table]
//               ^^^^^^^^^^ storage.modifier.relocation
    adrp x8, _table@PAGE
//           ^^^^^^ entity.name.function.symbol
//                 ^^^^^ storage.modifier.relocation
    fmla v0.4s, v1.4s, v2.s[1]
//       ^^^^^ variable.other.register
//                     ^^^^ variable.other.register
//                          ^ constant.numeric
    ld1d { z0.d }, p0/z, [x0, x8, lsl #3]
//         ^^^^ variable.other.register
//                 ^^^^ variable.other.register
//                                ^^^ storage.modifier.shift
//                                    ^ punctuation.definition.immediate
    csel w0, w1, wzr, ne
//               ^^^ variable.other.register
//                    ^^ constant.language
    b.ne .LBB0_2
//  ^^^^ keyword.control.mnemonic
//       ^^^^^^^ entity.name.function.label.local
    svc #0
//  ^^^ keyword.control.mnemonic
//      ^ punctuation.definition.immediate
    dmb ish
//      ^^^ constant.language
    mrs x0, tpidr_el0
//          ^^^^^^^^^ variable.other.register
    fmov d0, #1.5e1 ; Darwin's comment
//           ^ punctuation.definition.immediate
//            ^^^^^ constant.numeric
//                  ^^^^^^^^^^^^^^^^^^ comment.line
LBB0_3: ; %bb.3
//    ^ punctuation.separator.label
//      ^^^^^^^ comment.line
# LLVM-MCA-LATENCY 14
//^^^^^^^^^^^^^^^^ keyword.control.marker
//                ^^^ variable.parameter.marker
    fadd v0.4s, \t\().4s, \a\().4s
//              ^^^^^^^^ variable.parameter.macro
//                        ^^^^^^^^ variable.parameter.macro
    .type dot,@function
//            ^^^^^^^^^ storage.modifier.relocation

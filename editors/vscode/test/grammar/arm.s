    .type dot, %function @ a comment
@              ^^^^^^^^^ storage.modifier.relocation
@                        ^^^^^^^^^^^ comment.line
@ LLVM-MCA-BEGIN dot
@ ^^^^^^^^^^^^^^ keyword.control.marker
    ldr r0, [r1, r2, lsl #2] @ 4 bytes
@       ^^ variable.other.register
@                    ^^^ storage.modifier.shift
@                         ^ constant.numeric
@                            ^^^^^^^^^ comment.line
    movw r1, #:lower16:table
@            ^ punctuation.definition.immediate
@             ^^^^^^^^^ storage.modifier.relocation
    bx lr
@   ^^ keyword.control.mnemonic
@      ^^ variable.other.register

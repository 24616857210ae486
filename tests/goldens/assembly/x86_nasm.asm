# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
#  | finding 1-51: warning foreign-dialect: this is NASM's syntax, which is not read, so that there are no numbers: assemble it and open the listing of `objdump -d`, which is read
#  | target:   (); no model
%include "x86inc.asm"
SECTION .text
INIT_XMM sse2
cglobal sum, 2, 3, 2, src, len, cnt
    pxor        m0, m0
.loop:
    movu        m1, [srcq]
    paddd       m0, m1
    add         srcq, mmsize
    dec         lend
    jg .loop
    RET

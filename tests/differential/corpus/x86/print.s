# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
# .print writes to the standard output, once for each of llvm-mca's two parses.
.print "before any region"
.macro loud what
.print "in a macro"
.endm
.PRINT "upper case"
# LLVM-MCA-BEGIN
addl %eax, %ebx
loud 1
.pRiNt "mixed"
# LLVM-MCA-END
.if 0
.print "never"
.endif
.rept 2
.print "a \"quote\" and \n no line end"
.endr

.print "once"
# LLVM-MCA-BEGIN a
addl %eax, %ebx
# LLVM-MCA-END b

# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
.print "once"
# LLVM-MCA-BEGIN a
addl %eax, %ebx
# LLVM-MCA-END b

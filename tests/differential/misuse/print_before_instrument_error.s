# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
.print "twice"
# LLVM-MCA-LATENCY x
addl %eax, %ebx
# LLVM-MCA-NOTHING

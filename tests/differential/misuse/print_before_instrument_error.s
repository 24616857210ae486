.print "twice"
# LLVM-MCA-LATENCY x
addl %eax, %ebx
# LLVM-MCA-NOTHING

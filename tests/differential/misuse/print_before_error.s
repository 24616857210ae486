.print "once: an error ends llvm-mca after its first parse"
.print 'a'
.print "a" "b"
.print
addl %eax, %ebx

# mca: triple=x86_64-unknown-linux-gnu cpu=znver3
.print "once: an error ends llvm-mca after its first parse"
.print 'a'
.print "a" "b"
.print
addl %eax, %ebx

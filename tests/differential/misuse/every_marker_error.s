@ mca: triple=armv7-unknown-linux-gnueabihf cpu=cortex-a9
@ LLVM-MCA-END early
@ LLVM-MCA-BEGIN
@ LLVM-MCA-BEGIN
@ LLVM-MCA-BEGIN name
@ LLVM-MCA-BEGIN name
	add	r0, r1, r2
@ LLVM-MCA-END other
@ LLVM-MCA-END
@ LLVM-MCA-END name
@ LLVM-MCA-END name

# LLVM-MCA-BEGIN sum
sum:
  addq (%rdi), %rax
  addq $8, %rdi
  cmpq %rsi, %rdi
  jne sum
# LLVM-MCA-END
# LLVM-MCA-BEGIN counter in memory
counter:
  addq %rcx, (%rdx)
  xorl %r8d, %r8d
  movq %r8, %r9
  addq $1, %r10
  cmpq %r11, %r10
  jne counter
# LLVM-MCA-END
# LLVM-MCA-BEGIN dot product, with instructions that the calibration lacks
dot:
  vmovups (%rdi), %ymm1
  vfmadd231ps (%rsi), %ymm1, %ymm0
  imulq %rbx, %rbp
  addq $32, %rdi
  addq $32, %rsi
  cmpq %rcx, %rdi
  jne dot
# LLVM-MCA-END

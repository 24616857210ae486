// The two files that the tests open.
export const assembly = `# mca: triple=x86_64-linux-gnu cpu=znver4
dot:
# LLVM-MCA-BEGIN dot
.L2:
    vmovups (%rdi,%rax), %ymm1
    vfmadd231ps (%rsi,%rax), %ymm1, %ymm0
    addq    $32, %rax
    cmpq    %rdx, %rax
    jb  .L2
# LLVM-MCA-END
    ret
`;

export const source = `// mca: cpu=znver4
double sum(const double *values, int count) {
  double total = 0;
  for (int i = 0; i < count; ++i)
    total += values[i];
  return total;
}
`;

/** The same with no CPU named. */
export const sourceForAnyCpu = source.replace('// mca: cpu=znver4', '// sums up');

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

/** Two loops, and a profile of them: they have 30 % and 15 % of the time. */
export const profiledAssembly = `# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
	.type f,@function
f:
	addl $1, %eax
	decl %ecx
	jne f
	retq
	.type g,@function
g:
	subl $1, %eax
	decl %ecx
	jne g
	retq
`;

export const profile = `mcaprofile 1
event "cpu-clock" ns
samples 20
runs 1
program "/p" x86_64--
function "f" 0x1000 0x8
code 83c001ffc975f9c3
at 0x3 600
function "g" 0x1010 0x8
code 83e801ffc975f9c3
at 0x3 300
rest kernel 1100
end
`;

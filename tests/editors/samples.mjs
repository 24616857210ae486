// The files that the editors open. Without `cpu` they are for the CPU that the editor's settings name.

/** A loop limited by its chain through ymm0; its hint stands on line 4, `.Lloop:`. */
export const assembly = (cpu) => `\t# mca: triple=x86_64-linux-gnu${cpu ? ` cpu=${cpu}` : ''}
\t.text
sum:
.Lloop:
\tvaddps (%rdi), %ymm0, %ymm0
\taddq $32, %rdi
\tcmpq %rsi, %rdi
\tjne .Lloop
\tret
`;

/** A loop limited by its chain through `total`; its hint stands on line 4. */
export const source = (cpu) => `// ${cpu ? `mca: cpu=${cpu}` : 'for any CPU'}
float sum(const float *values, int count) {
  float total = 0;
  for (int i = 0; i < count; ++i)
    total += values[i];
  return total;
}
`;

/** The same with what clangd has inlay hints for, on line 4: a type and the names of parameters. */
export const sourceWithHintsOfClangd = `// mca: cpu=skylake
float scale(float value, float factor);
float sum(const float *values, int count) {
  auto total = scale(1, 2);
  for (int i = 0; i < count; ++i)
    total += values[i];
  return total;
}
`;

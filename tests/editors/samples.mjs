// The files that the editors open. Without `cpu` they are for the CPU that the editor's settings name.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

/** A profile of a program that is made of source(): nearly all of its samples are in the loop. */
export function profileOf(text) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mca-profile-'));
  try {
    const at = (name) => path.join(folder, name);
    writeFileSync(at('sum.c'), text);
    execFileSync('clang-22', ['--target=x86_64-linux-gnu', '-O2', '-g', '-c', at('sum.c'), '-o', at('sum.o')]);
    execFileSync('clang-22', ['--target=x86_64-linux-gnu', '-nostdlib', '-shared', at('sum.o'), '-o', at('program')]);
    const sample = (offset, period) => `program ${period} cpu-clock: ${offset.toString(16)} sum+0x${offset.toString(16)} (/program)\n`;
    const [begin, end] = [0x30, 0x68]; // of the loop that does eight iterations at once
    const samples = Array.from({ length: 0x80 }, (_, offset) => sample(offset, begin <= offset && offset < end ? 10000 : 300));
    writeFileSync(at('samples'), samples.join(''));
    const options = ['--import-profile', 'perf', at('samples'), '--program', at('program'), '-o', at('sum.mcaprofile')];
    execFileSync('build/release/bin/mca-lsp', options, { stdio: 'ignore' });
    return readFileSync(at('sum.mcaprofile'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

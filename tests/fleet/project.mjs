// A project of any number of C files with headers, the same bytes for the same seed. Its loops are of many kinds: in the
// files, in functions of shared headers that stay functions, in ones that are inlined, behind macros. Each tenth file has
// a budget, of which every second one is too tight; each twelfth is compiled with and without AVX2.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** mulberry32: numbers from 0 to `below` - 1. */
function randomOf(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const kTypes = ['int', 'unsigned', 'long', 'short', 'float', 'double', 'unsigned char'];

/** A function of one loop or two: its text, for a name, a type of numbers and a constant. */
const kKernels = [
  (f, t, k) => `${t} ${f}(const ${t} *a, int n) {\n  ${t} s = 0;\n  for (int i = 0; i < n; ++i)\n    s += a[i] * ${k};\n  return s;\n}\n`,
  (f, t, k) => `void ${f}(${t} *restrict y, const ${t} *restrict x, ${t} a, int n) {\n  for (int i = 0; i < n; ++i)\n    y[i] = y[i] + a * x[i] + ${k};\n}\n`,
  (f, t, k) => `int ${f}(const ${t} *v, int n) {\n  int c = 0;\n  for (int i = 0; i < n; i += ${1 + (k % 3)})\n    if (v[i] > ${k})\n      ++c;\n    else if (v[i] == ${k % 7})\n      c += 2;\n  return c;\n}\n`,
  (f, t, k) => `void ${f}(${t} *m, const ${t} *v, int n) {\n  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n      m[i * n + j] += v[j] * ${k};\n}\n`,
  (f, t, k) => `struct ${f}_node { struct ${f}_node *next; ${t} value; };\n${t} ${f}(const struct ${f}_node *p) {\n  ${t} s = ${k % 9};\n  while (p) {\n    s += p->value;\n    p = p->next;\n  }\n  return s;\n}\n`,
  (f, t, k) => `unsigned long ${f}(const char *s) {\n  unsigned long h = ${k};\n  while (*s)\n    h = h * ${2 * k + 1} + (unsigned char)*s++;\n  return h;\n}\n`,
  (f, t, k) => `void ${f}(${t} *a, int n) {\n  for (int i = ${1 + (k % 4)}; i < n; ++i)\n    a[i] += a[i - ${1 + (k % 4)}];\n}\n`,
  (f, t, k) => `int ${f}_step(int);\nint ${f}(int n) {\n  int s = ${k};\n  for (int i = 0; i < n; ++i)\n    s ^= ${f}_step(i);\n  return s;\n}\n`,
  (f, t, k) => `unsigned ${f}(unsigned n) {\n  unsigned steps = 0;\n  while (n > 1) {\n    n = n % 2 ? ${3 + 2 * (k % 3)} * n + 1 : n / 2;\n    ++steps;\n  }\n  return steps;\n}\n`,
  (f, t, k) => `${t} ${f}(const ${t} *a, const ${t} *b, int n) {\n  ${t} s = ${k % 5};\n  do\n    s += a[n] / (b[n] + 1);\n  while (--n > 0);\n  return s;\n}\n`,
];

function header(number, random) {
  const type = kTypes[random(kTypes.length)];
  const k = 1 + random(50);
  return `#ifndef SHARED_${number}_H
#define SHARED_${number}_H
#define SWAP_${number}(a, n) for (int w = 0; w < (n) / 2; ++w) { ${type} x = (a)[w]; (a)[w] = (a)[(n) - 1 - w]; (a)[(n) - 1 - w] = x; }
__attribute__((noinline)) static ${type} total_${number}(const ${type} *v, int n) {
  ${type} t = 0;
  for (int i = 0; i < n; ++i)
    t += v[i] * ${k};
  return t;
}
static inline void clamp_${number}(${type} *v, int n) {
  for (int i = 0; i < n; ++i)
    v[i] = v[i] > ${k} ? ${k} : v[i];
}
__attribute__((noinline)) static void scale_${number}(${type} *v, int n, int by) {
  for (int i = 0; i < n; ++i)
    v[i] *= by;
}
typedef ${type} shared_${number};
#endif
`;
}

/** A marked loop that takes 4 cycles or so on znver4: a chain of additions of double. */
const budgeted = (number) => `double chain_${number}(const double *v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    // LLVM-MCA-BEGIN chain ${number}
    // mca: cycles<=${number % 20 === 0 ? '1.5' : '60'} cpu=znver4
    s += v[i];
    // LLVM-MCA-END
  }
  return s;
}
`;

function source(number, headers, functions, random) {
  const used = [...new Set([random(headers), random(headers)])];
  const parts = used.map((one) => `#include "shared_${one}.h"\n`);
  for (let i = 0; i < functions; ++i) {
    const kernel = kKernels[random(kKernels.length)];
    parts.push(kernel(`f${number}_${i}`, kTypes[random(kTypes.length)], 1 + random(100)));
  }
  if (number % 10 === 0) parts.push(budgeted(number));
  const [one] = used;
  parts.push(`int use_${number}(shared_${one} *v, int n) {\n  clamp_${one}(v, n);\n  SWAP_${one}(v, n)\n  scale_${one}(v, n, n);\n  return (int)total_${one}(v, n);\n}\n`);
  return parts.join('\n');
}

/** Writes src/, include/ and build/compile_commands.json. `functions`: of each file, 2 to 5 if not given. */
export function makeProject(folder, { files, headers = 8, functions, seed = 1 }) {
  const random = randomOf(seed);
  for (const part of ['src', 'include', 'build']) mkdirSync(path.join(folder, part), { recursive: true });
  for (let i = 0; i < headers; ++i) writeFileSync(path.join(folder, `include/shared_${i}.h`), header(i, random));
  const database = [];
  for (let i = 0; i < files; ++i) {
    const file = `../src/part_${String(i).padStart(5, '0')}.c`;
    writeFileSync(path.join(folder, 'build', file), source(i, headers, functions ?? 2 + random(4), random));
    const entry = (...flags) => ({ directory: path.join(folder, 'build'), file, arguments: ['cc', '-O2', '-march=x86-64-v2', ...flags, '-I../include', '-c', file] });
    database.push(entry());
    if (i % 12 === 0) database.push(entry('-mavx2'));
  }
  writeFileSync(path.join(folder, 'build/compile_commands.json'), JSON.stringify(database, null, 1));
}

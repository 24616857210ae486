// The documents of a run: functions with loops, in assembly of four targets, in C and in C++. No two functions are
// alike, so that no cache makes the work smaller than it is in a project.
import { Random } from './random.mjs';

/** A number that LLVM's assemblers of all targets take as an offset and as an immediate. */
const number = (random) => 8 * random.between(1, 30);

/** `constant` matches what another version of a text has other numbers for. */
export const KINDS = {
  x86: {
    languageId: 'asm',
    extension: 's',
    constant: /(?<=\$)\d+/g,
    head: ['# mca: triple=x86_64-linux-gnu cpu=skylake', '\t.text'],
    begin: ['\txorl\t%eax, %eax'],
    body: [
      (r) => `\tmovq\t${number(r)}(%rdi,%rax,8), %r${r.between(8, 11)}`,
      (r) => `\taddq\t$${number(r)}, %r${r.between(8, 11)}`,
      (r) => `\timulq\t%r${r.between(8, 11)}, %r${r.between(8, 11)}`,
      (r) => `\tmulsd\t${number(r)}(%rsi,%rax,8), %xmm${r.between(0, 3)}`,
      (r) => `\taddsd\t%xmm${r.between(0, 3)}, %xmm${r.between(4, 7)}`,
    ],
    end: (label, r) => [`\taddq\t$${number(r)}, %rax`, '\tcmpq\t%rdx, %rax', `\tjne\t${label}`, '\tretq'],
  },
  aarch64: {
    languageId: 'asm',
    extension: 's',
    constant: /(?<=#)\d+/g,
    head: ['// mca: triple=aarch64-linux-gnu cpu=neoverse-n1', '\t.text'],
    begin: ['\tmov\tx9, #8'],
    body: [
      (r) => `\tldr\tx${r.between(9, 12)}, [x0, #${number(r)}]`,
      (r) => `\tadd\tx${r.between(9, 12)}, x${r.between(9, 12)}, #${number(r)}`,
      (r) => `\tmul\tx${r.between(9, 12)}, x${r.between(9, 12)}, x13`,
      (r) => `\tldr\td${r.between(0, 3)}, [x1, #${number(r)}]`,
      (r) => `\tfmadd\td${r.between(4, 7)}, d${r.between(0, 3)}, d16, d${r.between(4, 7)}`,
    ],
    end: (label, r) => [`\tadd\tx0, x0, #${number(r)}`, '\tsubs\tx2, x2, #8', `\tb.ne\t${label}`, '\tret'],
  },
  riscv: {
    languageId: 'asm',
    extension: 's',
    constant: /-?\d+(?=\()/g,
    head: ['# mca: triple=riscv64-linux-gnu cpu=sifive-u74 features=+m', '\t.text'],
    begin: ['\tli\ta5, 8'],
    body: [
      (r) => `\tld\ta${r.between(3, 6)}, ${number(r)}(a0)`,
      (r) => `\taddi\ta${r.between(3, 6)}, a${r.between(3, 6)}, ${number(r)}`,
      (r) => `\tmul\ta${r.between(3, 6)}, a${r.between(3, 6)}, a7`,
      (r) => `\tsd\ta${r.between(3, 6)}, ${number(r)}(a1)`,
    ],
    end: (label, r) => [`\taddi\ta0, a0, ${number(r)}`, '\taddi\ta2, a2, -1', `\tbnez\ta2, ${label}`, '\tret'],
  },
  arm: {
    languageId: 'asm',
    extension: 's',
    constant: /(?<=#)\d+/g,
    head: ['@ mca: triple=armv7-linux-gnueabihf cpu=cortex-a9', '\t.text'],
    begin: ['\tmov\tr3, #8'],
    body: [
      (r) => `\tldr\tr${r.between(3, 6)}, [r0, #${number(r)}]`,
      (r) => `\tadd\tr${r.between(3, 6)}, r${r.between(3, 6)}, #${number(r)}`,
      (r) => `\tmul\tr${r.between(3, 4)}, r${r.between(5, 6)}, r7`,
      (r) => `\tstr\tr${r.between(3, 6)}, [r1, #${number(r)}]`,
    ],
    end: (label, r) => [`\tadd\tr0, r0, #${number(r)}`, '\tsubs\tr2, r2, #8', `\tbne\t${label}`, '\tbx\tlr'],
  },
  c: {
    languageId: 'c',
    extension: 'c',
    constant: /(?<=[+*] )\d+/g,
    head: ['// mca: cpu=skylake'],
    body: [
      (r) => `    sum += p[i] * ${number(r)};`,
      (r) => `    q[i] = p[i] + ${number(r)};`,
      (r) => `    sum ^= q[i] + ${number(r)};`,
    ],
    signature: (name) => `long ${name}(const long *p, long *restrict q, long n) {`,
  },
  cpp: {
    languageId: 'cpp',
    extension: 'cpp',
    constant: /(?<=[+*] )\d+/g,
    head: ['// mca: cpu=skylake', 'template <class T> T twice(T x) { return x * 2 + 1; }'],
    body: [
      (r) => `    sum += twice(p[i]) * ${number(r)};`,
      (r) => `    q[i] = twice(p[i]) + ${number(r)};`,
      (r) => `    sum = twice(sum) + ${number(r)};`,
    ],
    signature: (name) => `long ${name}(const long *p, long *__restrict q, long n) {`,
  },
};

/** What runs through a compiler, on each save. */
export const isSource = (kind) => kind === 'c' || kind === 'cpp';

/** The lines of a function `name` with one loop, and an empty line. */
function functionOf(kind, name, random) {
  const { begin, body, end, signature } = KINDS[kind];
  const instructions = Array.from({ length: random.between(3, 14) }, () => random.pick(body)(random));
  if (isSource(kind)) {
    const loop = ['  long sum = 0;', '  for (long i = 0; i < n; ++i) {', ...instructions.slice(0, 5), '  }'];
    return [signature(name), ...loop, '  return sum;', '}', ''];
  }
  const label = `.L${name}`;
  return [`\t.globl\t${name}`, `${name}:`, ...begin, `${label}:`, ...instructions, ...end(label, random), ''];
}

/** The lines of `count` functions whose names begin with `prefix`. */
export function functionsOf(kind, count, prefix, seed) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => functionOf(kind, `${prefix}${i}`, random)).flat();
}

/** A text of `count` lines. */
export function textOf(kind, count, seed) {
  const random = new Random(seed);
  const lines = [...KINDS[kind].head];
  for (let i = 0; lines.length < count; ++i) {
    const next = functionOf(kind, `f${i}`, random);
    if (lines.length + next.length > count) break;
    lines.push(...next);
  }
  while (lines.length < count) lines.push('');
  return lines;
}

/** Another version of a text, as another branch has it: one number of ten is a different one. */
export function revisionOf(kind, lines, seed) {
  const random = new Random(seed);
  return lines.map((line) =>
    random.next() < 0.1 ? line.replace(KINDS[kind].constant, () => String(number(random))) : line,
  );
}

/** `count` sizes in lines from `least` to `most`, as many between 10 and 100 as between 100 and 1,000. */
export function sizesOf(count, least, most) {
  const step = (i) => (count === 1 ? 0 : i / (count - 1));
  return Array.from({ length: count }, (_, i) => Math.round(least * (most / least) ** step(i)));
}
